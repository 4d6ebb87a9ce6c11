import type { ModelServer } from '../../fixtures/model-server';
import { namedCall } from '../../fixtures/model-server/tool-calls';

export interface Play {
  /** How the prompt that is answered so begins, or any part of it. */
  readonly when: RegExp;
  /** Tools by the end of their names, one after the other. */
  readonly calls: readonly (readonly [tool: string, input: object])[];
  readonly say: string;
}

/** A turn in which the model calls tools, one after the other, and then says something. */
export function play(models: ModelServer, { when, calls, say }: Play): void {
  models.script({
    when: ({ prompt, tools }) => when.test(prompt) && tools.length > 0,
    answer({ tools, results }) {
      const next = calls[results.length];
      if (next === undefined) return { text: say };
      const call = namedCall(tools, next[0], next[1]);
      if (call === null) throw new Error(`no ${next[0]} among ${tools.map(({ name }) => name).join()}`);
      return { text: 'I will use a tool.', call };
    },
  });
}

import type { Ask, Reply } from '../../fixtures/model-server/exchange';
import { namedCall, shellCall } from '../../fixtures/model-server/tool-calls';
import type { Stage } from './stage';

/** A tool by the end of its name, or a command run with the agent's own tool. */
type Deed = readonly [tool: string, input: object] | { readonly run: string };

export interface Play {
  /** Matches the prompt that gets this answer. */
  readonly when: RegExp;
  readonly deeds: readonly Deed[];
  readonly say: string;
}

/** A turn in which the model uses tools one after the other, and then says something. */
export function play({ models }: Stage, { when, deeds, say }: Play): void {
  models.script({
    when: ({ prompt, tools }) => when.test(prompt) && tools.length > 0,
    answer(ask) {
      const next = deeds[ask.results.length];
      if (next === undefined) return { text: say };
      const call = callOf(ask, next);
      if (call !== null) return { text: 'I will use a tool.', call };
      return { text: `No tool fits. Offered: ${ask.tools.map(({ name }) => name).join()}` };
    },
  });
}

function callOf({ tools }: Ask, deed: Deed): Reply['call'] | null {
  return 'run' in deed ? shellCall(tools, deed.run) : namedCall(tools, deed[0], deed[1]);
}

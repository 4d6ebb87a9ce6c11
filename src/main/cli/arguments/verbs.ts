import { ownValue } from '@contract/own';
import { fail, type Result } from '@contract/result';
import type { Call, Context, Flags } from '../command';
import type { ExitCode } from '../exit';

/** One action of a command with several, such as `add` in `muster agents add ID`. */
export interface Verb<F extends Flags> {
  /** The arguments after the verb, as in the help. */
  readonly words: string;
  /** Minimum number of words after the verb. */
  readonly least: number;
  readonly most: number;
  readonly help: string;
  /** The call's first word is the verb. */
  run(context: Context, call: Call<F>): Promise<Result<ExitCode>>;
}

interface Verbs<F extends Flags> {
  /** For the command's help. */
  readonly lines: readonly string[];
  run(context: Context, call: Call<F>): Promise<Result<ExitCode>>;
}

/** A command's verbs by name; `usual` is the default. */
export function verbsOf<F extends Flags>(
  command: string,
  table: Readonly<Record<string, Verb<F>>>,
  usual?: string,
): Verbs<F> {
  const all = Object.entries(table).map(([name, { words, help }]) => ({
    usage: `${name} ${words}`.trim(),
    help,
  }));
  const width = Math.max(...all.map(({ usage }) => usage.length)) + 2;
  return {
    lines: all.map(({ usage, help }) => `  ${usage.padEnd(width)}${help}`),
    async run(context, { words, flags }) {
      const [name = usual ?? '', ...rest] = words;
      const verb = ownValue(table, name);
      if (verb === undefined)
        return fail('input.invalid', `${command}: there is no verb "${name}"`, {
          mend: `one of: ${all.map(({ usage }) => usage).join(', ')}`,
        });
      if (rest.length < verb.least || rest.length > verb.most)
        return fail(
          'input.invalid',
          `${command} ${name} takes ${verb.words === '' ? 'no words' : verb.words}`,
          { mend: 'quote a text of several words' },
        );
      return verb.run(context, { words: [name, ...rest], flags });
    },
  };
}

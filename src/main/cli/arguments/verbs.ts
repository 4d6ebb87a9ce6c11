import { ownValue } from '@contract/own';
import { fail, type Result } from '@contract/result';
import { type Call, type Command, type CommandSpec, type Context, command, type Flags } from '../command';
import type { ExitCode } from '../exit';

/** One action of a command with several, such as `add` in `muster agents add ID`. */
interface Verb<F extends Flags> {
  /** The arguments after the verb, as in the help; `RUN [N]` takes one or two. */
  readonly words: string;
  readonly help: string;
  /** The call's first word is the verb. */
  run(context: Context, call: Call<F>): Promise<Result<ExitCode>>;
}

interface VerbsSpec<F extends Flags> extends Omit<CommandSpec<F>, 'least' | 'most' | 'run'> {
  readonly verbs: Readonly<Record<string, Verb<F>>>;
  /** The default verb. */
  readonly usual?: string;
}

/** A command whose first word is a verb. Its help lists them. */
export function verbCommand<const F extends Flags>({ verbs, usual, ...spec }: VerbsSpec<F>): Command {
  const all = Object.entries(verbs).map(([name, { words, help }]) => ({
    usage: `${name} ${words}`.trim(),
    help,
    most: wordCount(words).most,
  }));
  const width = Math.max(...all.map(({ usage }) => usage.length)) + 2;
  const lines = all.map(({ usage, help }) => `  ${usage.padEnd(width)}${help}`);
  return command<F>({
    ...spec,
    least: usual === undefined ? 1 : 0,
    most: 1 + Math.max(...all.map(({ most }) => most)),
    more: [...lines, ...(spec.more === undefined ? [] : ['', spec.more])].join('\n'),
    async run(context, { words, flags }) {
      const [name = usual ?? '', ...rest] = words;
      const verb = ownValue(verbs, name);
      if (verb === undefined)
        return fail('input.invalid', `${spec.name}: there is no verb "${name}"`, {
          mend: `one of: ${all.map(({ usage }) => usage).join(', ')}`,
        });
      const { least, most } = wordCount(verb.words);
      if (rest.length < least || rest.length > most)
        return fail(
          'input.invalid',
          `${spec.name} ${name} takes ${verb.words === '' ? 'no words' : verb.words}`,
          { mend: 'quote a text of several words' },
        );
      return verb.run(context, { words: [name, ...rest], flags });
    },
  });
}

/** Only the last word may be optional: `RUN [N]`, or `RUN [add TEXT|free]` with alternatives. */
function wordCount(words: string): { readonly least: number; readonly most: number } {
  const [, required = '', optional = ''] = /^(.*?)(?:(?<=^| )\[(.*)\])?$/.exec(words) ?? [];
  const count = (text: string): number => text.split(' ').filter((word) => word !== '').length;
  const least = count(required);
  return { least, most: least + Math.max(...optional.split('|').map(count)) };
}

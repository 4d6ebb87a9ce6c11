import { parseArgs } from 'node:util';
import { messageOf } from '@contract/error-message';
import { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { Command, Flags } from '../command';

/** Flags of every command, allowed before or after its name. */
export const globalFlags = {
  json: { help: 'print JSON: one document, or one line for each event' },
  'data-dir': { value: 'DIR', help: 'the data folder (default: that of the app, or MUSTER_DATA_DIR)' },
  db: { value: 'FILE', help: 'the database (default: muster.db in the data folder, or MUSTER_DB)' },
  help: { help: 'show this help' },
  version: { help: 'show the version' },
} as const satisfies Flags;

export interface Invocation {
  readonly command: Command | null;
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly places: { readonly dataDir?: string; readonly db?: string };
  readonly help: boolean;
  readonly version: boolean;
}

/** An unknown flag, or a missing or extra word, is an error that names it. */
export function parseInvocation(args: readonly string[], commands: readonly Command[]): Result<Invocation> {
  const name = commandName(args);
  const command = commands.find((candidate) => candidate.name === name.word) ?? null;
  if (command === null && name.word !== undefined) {
    return fail('input.invalid', `there is no command "${name.word}"`, { mend: 'see: muster --help' });
  }
  const parsed = parseFlags(name.rest, { ...command?.flags, ...globalFlags });
  if (!parsed.ok) return parsed;
  const { values, words } = parsed.value;
  const invocation = {
    command,
    words,
    flags: values,
    json: values.json === true,
    places: {
      ...(typeof values['data-dir'] === 'string' ? { dataDir: values['data-dir'] } : {}),
      ...(typeof values.db === 'string' ? { db: values.db } : {}),
    },
    help: values.help === true,
    version: values.version === true,
  };
  const unplaced = emptyPlace(invocation.places);
  if (unplaced !== null) return err(unplaced);
  const wrong = command === null || invocation.help ? null : wrongWords(command, words);
  return wrong === null ? ok(invocation) : fail('input.invalid', wrong);
}

/** A script with an empty variable must not work on the operator's own data. */
function emptyPlace({ dataDir, db }: Invocation['places']) {
  const mend = 'Omit the flag to use the default.';
  if (dataDir?.trim() === '') return appError('input.invalid', '--data-dir needs a folder.', { mend });
  return db?.trim() === '' ? appError('input.invalid', '--db needs a file.', { mend }) : null;
}

/** The first word that is neither a flag nor a global flag's value. */
function commandName(args: readonly string[]): { word: string | undefined; rest: string[] } {
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    if (word === '--data-dir' || word === '--db') index += 1;
    else if (!word.startsWith('-')) return { word, rest: args.toSpliced(index, 1) };
  }
  return { word: undefined, rest: [...args] };
}

function parseFlags(
  args: string[],
  flags: Flags,
): Result<{ values: Record<string, unknown>; words: string[] }> {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value, many }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: many === true },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    const empty = Object.entries(flags).map(([name, { value, many }]) => [
      name,
      value === undefined ? false : many === true ? [] : undefined,
    ]);
    return ok({ values: { ...Object.fromEntries(empty), ...values }, words: positionals });
  } catch (cause) {
    // Node's own message, whose first sentence names the flag.
    const message = messageOf(cause);
    const firstSentence = message.split(/\. |\n/)[0] ?? message;
    const [, flag] = / '(--[\w-]+)' argument is ambiguous/.exec(firstSentence) ?? [];
    if (flag === undefined) return fail('input.invalid', firstSentence);
    return fail('input.invalid', `the value of ${flag} begins with a dash`, {
      mend: `join a value that does with "=": ${flag}="- like this"`,
    });
  }
}

function wrongWords({ name, words: wanted, least, most }: Command, words: readonly string[]): string | null {
  if (words.length < least) return `${name} needs ${wanted}`;
  if (words.length > most) return `${name}: "${words[most] ?? ''}" is not expected`;
  return null;
}

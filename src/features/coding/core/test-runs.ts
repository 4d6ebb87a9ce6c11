import { simpleCommands, type Words } from './shell-words';

/** How a program runs another one. */
interface Runner {
  readonly words: Words;
  /** Its options that take a value. */
  readonly takes?: readonly string[];
  /** With one of these options it runs no other program. */
  readonly unless?: readonly string[];
  /** Number of its own words before the program. */
  readonly own?: number;
  /** With this word, the rest is an argument after all. */
  readonly stays?: string;
}

const runners = (lines: readonly string[], more: Omit<Runner, 'words'> = {}): Runner[] =>
  lines.map((line) => ({ words: line.split(' '), ...more }));

const PLACE = [
  ...['-C', '--prefix', '--dir', '--cwd', '--directory', '--filter', '-F', '-w', '--workspace'],
  ...['-f', '--file', '--manifest-path', '-p', '--project'],
];
const PACKAGE = ['-p', '--package', '--with', '--python', '--project', '--from'];
const SIGNAL = ['-s', '-k', '--signal', '--kill-after'];
const CONTAINER = [
  '-e',
  '--env',
  '--env-file',
  '-u',
  '--user',
  '-w',
  '--workdir',
  '-v',
  '--volume',
  '--name',
];
const TEXT = ['-e', '-c', '-p', '--eval', '--print', '--call'];

/** Programs that run the program named in their arguments. */
const KNOWN: readonly Runner[] = [
  ...runners(['command', 'exec', 'nohup', 'time', 'builtin', 'setsid', 'cross-env', 'xvfb-run']),
  ...runners(['env'], { takes: ['-u', '-C', '--unset', '--chdir'] }),
  ...runners(['dotenv'], { takes: ['-e', '-f'] }),
  ...runners(['sudo'], { takes: ['-u', '-g', '-D'] }),
  ...runners(['nice'], { takes: ['-n'] }),
  ...runners(['timeout', 'gtimeout'], { takes: SIGNAL, own: 1 }),
  ...runners(['npx', 'npm exec', 'npm x'], { takes: PACKAGE, unless: ['-c', '--call'] }),
  ...runners(['pnpx', 'pnpm exec', 'pnpm dlx', 'yarn exec', 'yarn dlx', 'bunx', 'bun x'], { takes: PACKAGE }),
  ...runners(['uvx', 'uv run', 'poetry run', 'pipenv run', 'pdm run', 'hatch run'], { takes: PACKAGE }),
  ...runners(['bundle exec']),
  ...runners(['coverage run'], { takes: ['--rcfile', '--source'] }),
  ...runners(['yarn workspace'], { own: 1, stays: 'yarn' }),
  ...runners(['pnpm', 'yarn', 'bun'], { takes: PLACE }),
  ...runners(['node', 'tsx', 'ts-node', 'python', 'ruby', 'php', 'perl'], {
    takes: ['-r', '--require', '--import', '--loader', '-W', '-X', '-I'],
    unless: TEXT,
  }),
  ...runners(['deno run']),
  ...runners(['bash', 'sh', 'zsh', 'dash', 'ksh'], { takes: ['-o', '-O'], unless: ['-c'] }),
  ...runners(['docker exec', 'docker run', 'docker compose exec', 'docker compose run'], {
    takes: CONTAINER,
    own: 1,
  }),
];
const RUNNERS = new Map<string, Runner[]>();
for (const one of KNOWN) {
  const name = one.words[0] ?? '';
  RUNNERS.set(name, [...(RUNNERS.get(name) ?? []), one]);
}

/** Shell words after which a command begins. */
const OPENING = new Set(['!', 'if', 'then', 'else', 'elif', 'while', 'until', 'do', '{', '}']);
const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh']);
const MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const DEEPEST = 6;
/** Only this many words are examined; program and mode are at the start. */
const MOST_WORDS = 100;

/** Whether an agent's command line contains a test run: a simple command that begins as in a pattern. */
export function isTestRun(line: string, patterns: readonly string[]): boolean {
  const ran = commandsOf(line, DEEPEST);
  return patterns.some((pattern) => {
    const wanted = simpleCommands(pattern);
    // A pattern may contain several commands in a row, as people write them.
    return wanted.length > 0 && ran.some((_, at) => wanted.every((one, i) => begins(ran[at + i] ?? [], one)));
  });
}

/**
 * Each simple command of a line, in every form that a pattern may name: as written, and without its runners.
 */
function commandsOf(line: string, depth: number): (readonly Words[])[] {
  return simpleCommands(line).flatMap((words) => {
    const forms = formsOf(bare(words.slice(0, MOST_WORDS)), depth);
    const inner = depth === 0 ? undefined : forms.map(scriptOf).find((one) => one !== null);
    return inner == null ? [forms] : [forms, ...commandsOf(inner, depth - 1)];
  });
}

const begins = (forms: readonly Words[], pattern: Words): boolean =>
  forms.some((words) => !onlyAsks(words, pattern) && fits(pattern, words));

/** A program asked for its version or help runs no tests. */
const onlyAsks = (words: Words, pattern: Words): boolean =>
  words.some((word) => /^--(?:version|help)$/.test(word) && !pattern.includes(word));

/** The words without leading shell keywords and variable assignments. */
function bare(words: Words): Words {
  const from = words.findIndex((word) => !OPENING.has(word) && !/^[A-Za-z_]\w*\+?=/.test(word));
  return from < 0 ? [] : words.slice(from);
}

function formsOf(words: Words, depth: number): Words[] {
  const [program] = words;
  if (program === undefined) return [];
  const known = RUNNERS.get(nameOf(program)) ?? [];
  const shorter = [withoutRun(words), ...known.map((one) => behind(one, words))];
  const more = depth === 0 ? [] : shorter.flatMap((form) => (form === null ? [] : formsOf(form, depth - 1)));
  return [words, ...more];
}

const isOption = (word: string | undefined): boolean => word !== undefined && /^[-+]./.test(word);

/** Index of the first word after options, from `at` on. */
function pastOptions(words: Words, at: number, takes: readonly string[]): number {
  let next = at;
  while (isOption(words[next])) {
    if (words[next] === '--') return next + 1;
    next += takes.includes(words[next] ?? '') ? 2 : 1;
  }
  return next;
}

/** `pnpm run test` is `pnpm test`. */
function withoutRun(words: Words): Words | null {
  if (!MANAGERS.has(nameOf(words[0] ?? ''))) return null;
  const at = pastOptions(words, 1, PLACE);
  if (words[at] !== 'run' && words[at] !== 'run-script') return null;
  return [words[0] ?? '', ...words.slice(at + 1)];
}

function behind(
  { words: runs, takes = [], unless = [], own = 0, stays }: Runner,
  words: Words,
): Words | null {
  if (runs.some((word, index) => index > 0 && words[index] !== word)) return null;
  const at = pastOptions(words, runs.length, takes);
  if (words.slice(runs.length, at).some((word) => unless.includes(word))) return null;
  const rest = bare(words.slice(at + own));
  if (rest.length === 0) return null;
  return stays === undefined ? rest : [stays, ...rest];
}

/** The script of `bash -lc '...'` and of `eval '...'`. */
function scriptOf(words: Words): string | null {
  if (words[0] === 'eval') return words.slice(1).join(' ');
  if (!SHELLS.has(nameOf(words[0] ?? ''))) return null;
  const options = words.slice(1, pastOptions(words, 1, ['-o', '-O']));
  const flag = options.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
  return flag < 0 ? null : (words[pastOptions(words, 1, ['-o', '-O'])] ?? null);
}

/** A program's name, without folder and version. */
const nameOf = (word: string): string =>
  word
    .slice(word.lastIndexOf('/') + 1)
    .replace(/(?<=.)@[^@]*$/, '')
    .replace(/^python\d[\d.]*$/, 'python');

const EXTENSION = /\.(?:sh|bash|py|rb|[mc]?[jt]s|php|pl|cmd|bat|exe|ps1)$/i;
const plain = (path: string): string => path.replace(/^(?:\.\/)+/, '');

function isProgram(pattern: string, word: string): boolean {
  const [wanted, path] = [plain(pattern), plain(word)];
  if (path === wanted || path.endsWith(`/${wanted}`)) return true;
  if (wanted.includes('/')) return false;
  const name = nameOf(path);
  return name === nameOf(wanted) || name.replace(EXTENSION, '') === wanted;
}

/** Whether the words begin with the pattern's, ignoring options in between. */
function fits([program = '', ...wanted]: Words, [word = '', ...words]: Words): boolean {
  return isProgram(program, word) && follows(wanted, words);
}

function follows(wanted: Words, words: Words): boolean {
  const [first, ...others] = wanted;
  if (first === undefined) return true;
  const [word, ...rest] = words;
  if (word === undefined) return false;
  // `test:unit` is a variant of the script `test`.
  const family = others.length === 0 && !isOption(first) && word.startsWith(`${first}:`);
  if (family || (word === first && follows(others, rest))) return true;
  if (!isOption(word)) return false;
  const hasValue = PLACE.includes(word) && rest[0] !== undefined && !isOption(rest[0]);
  return follows(wanted, rest) || (hasValue && follows(wanted, rest.slice(1)));
}

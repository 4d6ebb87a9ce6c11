import { appError } from '@contract/errors';
import { ok, type Result } from '@contract/result';
import { ask } from '../api/core-service';
import { type Invocation, parseInvocation } from './arguments/arguments';
import type { Command, Context, OpenOptions } from './command';
import { commands } from './commands';
import { EXIT, type ExitCode, exitOfError } from './exit';
import { type Folders, foldersOf } from './folders';
import { generalHelp, helpOf, usageLine } from './help';
import type { Link } from './link/link';
import { Output, type Stream } from './output/output';
import { shellWord } from './output/shell-word';
import { isLost } from './running/follow';

/** What the program receives from its process. */
export interface World {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly version: string;
  readonly out: Stream;
  readonly err: Stream;
  readonly stop: AbortSignal;
  readInput(): Promise<string>;
  confirm(question: string): Promise<boolean | null>;
  open(folders: Folders, options: OpenOptions): Promise<Result<Link>>;
}

/** The command line from its words to its exit code. */
export async function runProgram(world: World): Promise<ExitCode> {
  const parsed = parseInvocation(world.args, commands);
  if (!parsed.ok) {
    const wanted = commands.find(({ name }) => world.args.includes(name));
    const output = new Output(world, world.args.includes('--json'));
    output.error(parsed.error, wanted === undefined ? 'usage: muster COMMAND [flags]' : usageLine(wanted));
    return EXIT.usage;
  }
  const { command, json, help, version } = parsed.value;
  const output = new Output(world, json);
  if (version) {
    output.document({ version: world.version }, () => [world.version]);
    return EXIT.ok;
  }
  if (help || command === null) {
    output.document({ help: command?.name ?? 'muster' }, () => [
      command === null ? generalHelp(commands) : helpOf(command),
    ]);
    return help ? EXIT.ok : EXIT.usage;
  }
  return perform(world, { ...parsed.value, command, output });
}

type Performed = Invocation & { readonly command: Command; readonly output: Output };

/** Such a clock allows neither run ids nor event times. */
const clockError = () =>
  appError('unavailable', 'The clock of this machine is set to a time before 1970.', {
    mend: 'Set the clock, then run the command again.',
  });

async function perform(world: World, invocation: Performed): Promise<ExitCode> {
  const { output } = invocation;
  if (Date.now() < 0) {
    output.error(clockError());
    return EXIT.unavailable;
  }
  const links: Link[] = [];
  try {
    return await done(world, invocation, links);
  } catch (cause) {
    return fault(output, cause);
  } finally {
    // Errors from here on are printed, but do not affect the result.
    for (const link of links) await link.close().catch((cause: unknown) => fault(output, cause));
  }
}

async function done(world: World, invocation: Performed, links: Link[]): Promise<ExitCode> {
  const { command, words, flags, output } = invocation;
  const context = contextOf(world, invocation, links);
  const run = () => command.run(context, { words, flags });
  const work = command.onlyAsks === true ? askNextCore(run, { output, links }) : run();
  const result = await (command.heedsStop === true ? work : Promise.race([work, interrupted(world.stop)]));
  const notified = !world.stop.aborted && (await tellNotices(links.at(-1), invocation));
  if (result.ok)
    return result.value === EXIT.ok && notified && command.onlyAsks === true ? EXIT.notice : result.value;
  output.error(result.error);
  return exitOfError(result.error);
}

/**
 * Prints notices that the operator has not dismissed, whatever the command: after a damaged database was set
 * aside, an empty list must not look like an empty store. True if there were any.
 */
async function tellNotices(link: Link | undefined, { command, output }: Performed): Promise<boolean> {
  if (link === undefined) return false;
  const status = await ask(link, 'system.status', {}).catch(() => null);
  if (status?.ok !== true) return false;
  const urgent = status.value.notices.filter(({ level }) => level !== 'info');
  if (command.name !== 'status') for (const { level, text } of urgent) output.warn(`${level}: ${text}`);
  return urgent.some(({ level }) => level === 'error');
}

function fault(output: Output, cause: unknown): ExitCode {
  const words = String(cause instanceof Error ? cause.stack : cause);
  output.error(appError('internal', `a fault of Muster: ${words}`));
  return EXIT.internal;
}

const MOST_CORES = 5;

/** Repeats a command with the next core if one ends before any output. */
async function askNextCore(
  run: () => Promise<Result<ExitCode>>,
  { output, links }: { readonly output: Output; readonly links: readonly Link[] },
): Promise<Result<ExitCode>> {
  for (let cores = 1; ; cores += 1) {
    const result = await run();
    const link = links.at(-1);
    if (result.ok || result.error.code !== 'unavailable' || output.hasSpoken || link === undefined)
      return result;
    if (cores === MOST_CORES || !(await isLost(link))) return result;
  }
}

function contextOf(
  world: World,
  { places, output }: Invocation & { output: Output },
  links: Link[],
): Context {
  const folders = foldersOf(places, world.env);
  const repeated = [
    ...(places.dataDir === undefined ? [] : ['--data-dir', folders.dataDir]),
    ...(places.db === undefined ? [] : ['--db', folders.dbPath]),
  ];
  return {
    out: output,
    cwd: world.cwd,
    env: world.env,
    dataDir: folders.dataDir,
    dbPath: folders.dbPath,
    stop: world.stop,
    readInput: world.readInput,
    confirm: world.confirm,
    again: (...words) => ['muster', ...words, ...repeated].map(shellWord).join(' '),
    async open(options = { mode: 'working' }) {
      await closeOwn(links);
      const opened = await world.open(folders, options);
      if (opened.ok) links.push(opened.value);
      return opened;
    },
  };
}

/** A core of this process holds the lease of the database, and would lock out the next one that it opens. */
async function closeOwn(links: Link[]): Promise<void> {
  const own = links.filter(({ kind }) => kind === 'hosted');
  links.splice(0, links.length, ...links.filter(({ kind }) => kind !== 'hosted'));
  for (const link of own) await link.close();
}

const interrupted = (stop: AbortSignal): Promise<Result<ExitCode>> =>
  new Promise((resolve) => stop.addEventListener('abort', () => resolve(ok(EXIT.interrupted))));

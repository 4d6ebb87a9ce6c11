import type { SeenProcess } from '@main/core/ports/programs/process';

/** A loop's location, with links resolved. */
export interface LoopGround {
  readonly folder: string;
  /** The root of its repository; null if it is in none. */
  readonly repository: string | null;
}

const SHELL = /^-?(?:ba|z|da|k|a)?sh$/;
const RALPH = /^ralph(?:[._-][\w.-]*)?$/i;
const CODEX = /^codex(?:\.js)?$/;
/** Programs that may be between a script and its worker. */
const WRAPPER = /^(?:timeout|nice|nohup|env|stdbuf|setsid|script|time)$/;
const MOST_ANCESTORS = 8;

const nameOf = (path: string): string => path.split('/').at(-1) ?? '';

/** The script that a shell runs, and its arguments; null if the process is not a shell or runs no file. */
function scriptOf(
  args: readonly string[],
): { readonly path: string; readonly rest: readonly string[] } | null {
  if (!SHELL.test(nameOf(args[0] ?? ''))) return null;
  for (let index = 1; index < args.length; index += 1) {
    const word = args[index] ?? '';
    if (/^[-+][a-zA-Z]*o$/.test(word) || word === '--rcfile' || word === '--init-file') index += 1;
    else if (/^-[a-z]*[cs]/.test(word)) return null;
    else if (!/^[-+]/.test(word)) return { path: word, rest: args.slice(index + 1) };
  }
  return null;
}

/** `ralph.sh`, run by a shell or directly. */
function ralphOf(args: readonly string[]): string | null {
  const path = scriptOf(args)?.path ?? args[0] ?? '';
  return RALPH.test(nameOf(path)) ? path : null;
}

const isCodexExec = (args: readonly string[]): boolean =>
  args.slice(0, 2).some((word) => CODEX.test(nameOf(word))) && args.includes('exec');

/** Processes whose working folder must be known: scripts and workers. */
export const mattersToLoops = (args: readonly string[]): boolean =>
  ralphOf(args) !== null || scriptOf(args) !== null || isCodexExec(args);

/**
 * The processes that may run the loop in a folder: a ralph.sh located or working there (or at the root of its
 * repository), and a script that started a `codex exec` working there. Subshells of such a process are not
 * listed separately.
 */
export function loopRunners(all: readonly SeenProcess[], ground: LoopGround): SeenProcess[] {
  const byPid = new Map(all.map((process) => [process.pid, process]));
  const found = new Map<number, SeenProcess>();
  for (const process of all) {
    if (isRalphOf(process, ground)) found.set(process.pid, process);
    if (!isCodexExec(process.args) || !worksIn(process, ground)) continue;
    const script = starterOf(process, byPid);
    if (script !== null && worksIn(script, ground)) found.set(script.pid, script);
  }
  return [...found.values()].filter((process) => !hasAncestorIn(process, byPid, found));
}

function isRalphOf({ args, cwd }: SeenProcess, { folder, repository }: LoopGround): boolean {
  const script = ralphOf(args);
  if (script === null) return false;
  const home = script.includes('/') || cwd !== null ? folderOf(script, cwd) : null;
  if (home === folder || cwd === folder) return true;
  // A script in another folder of the repository has its own plan and logs there.
  const elsewhere = home !== null && repository !== null && home.startsWith(`${repository}/`);
  return cwd !== null && cwd === repository && !elsewhere;
}

const worksIn = ({ cwd }: SeenProcess, { folder, repository }: LoopGround): boolean =>
  cwd !== null && (cwd === folder || cwd === repository);

/** The script that started a worker, with only known programs in between. */
function starterOf(worker: SeenProcess, byPid: ReadonlyMap<number, SeenProcess>): SeenProcess | null {
  let process = byPid.get(worker.parent);
  for (let step = 0; process !== undefined && step < MOST_ANCESTORS; step += 1) {
    const { args, parent } = process;
    if (scriptOf(args) !== null) return firstOf(process, byPid);
    if (!isCodexExec(args) && !WRAPPER.test(nameOf(args[0] ?? ''))) return null;
    process = byPid.get(parent);
  }
  return null;
}

/** A forked subshell has its parent's command line. */
function firstOf(script: SeenProcess, byPid: ReadonlyMap<number, SeenProcess>): SeenProcess {
  const line = script.args.join('\0');
  let first = script;
  for (let step = 0; step < MOST_ANCESTORS; step += 1) {
    const parent = byPid.get(first.parent);
    if (parent?.args.join('\0') !== line) break;
    first = parent;
  }
  return first;
}

function hasAncestorIn(
  process: SeenProcess,
  byPid: ReadonlyMap<number, SeenProcess>,
  found: ReadonlyMap<number, SeenProcess>,
): boolean {
  const met = new Set([process.pid]);
  for (let pid = process.parent; pid > 0 && !met.has(pid); pid = byPid.get(pid)?.parent ?? 0) {
    if (found.has(pid)) return true;
    met.add(pid);
  }
  return false;
}

/** The folder of a path, without `.` and `..`; null if it is relative to an unknown folder. */
function folderOf(path: string, cwd: string | null): string | null {
  if (!path.startsWith('/') && cwd === null) return null;
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.slice(0, -1).join('/')}`;
}

/** A recognisable name of the process for the operator: its script, else its program. */
export const programOf = (args: readonly string[]): string => scriptOf(args)?.path ?? args[0] ?? '';

/** N, as an argument of ralph.sh: a bare number, or after `--max-iterations`. Null if absent. */
export function iterationsOf(args: readonly string[]): number | null {
  const rest = scriptOf(args)?.rest ?? args.slice(1);
  const text = rest.join(' ');
  const named = /(?:^| )(?:-n|--(?:max-)?iterations)[= ](\d+)(?: |$)/.exec(text)?.[1];
  const bare = rest.findLast((word, index) => /^\d+$/.test(word) && !/^-/.test(rest[index - 1] ?? ''));
  const value = Number(named ?? bare ?? 0);
  return value >= 1 && value <= 1_000 ? value : null;
}

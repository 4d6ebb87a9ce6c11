import type { SeenProcess } from '@main/core/ports/process';

/** Where a loop works: real paths. */
export interface LoopGround {
  readonly folder: string;
  /** The top of its repository; null where it is in none. */
  readonly repository: string | null;
}

const SHELL = /^-?(?:ba|z|da|k|a)?sh$/;
const RALPH = /^ralph(?:[._-][\w.-]*)?$/i;
const CODEX = /^codex(?:\.js)?$/;
/** What may be between a script and the worker that it starts. */
const WRAPPER = /^(?:timeout|nice|nohup|env|stdbuf|setsid|script|time)$/;
const MOST_ANCESTORS = 8;

const nameOf = (path: string): string => path.split('/').at(-1) ?? '';

/** The script that a shell runs, and what is behind it; null where the process is no shell or runs no file. */
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

/** `ralph.sh`, as a shell runs it or as a program of its own. */
function ralphOf(args: readonly string[]): string | null {
  const path = scriptOf(args)?.path ?? args[0] ?? '';
  return RALPH.test(nameOf(path)) ? path : null;
}

const isCodexExec = (args: readonly string[]): boolean =>
  args.slice(0, 2).some((word) => CODEX.test(nameOf(word))) && args.includes('exec');

/** Of these it must be known where they work: scripts, and workers. */
export const mattersToLoops = (args: readonly string[]): boolean =>
  ralphOf(args) !== null || scriptOf(args) !== null || isCodexExec(args);

/**
 * The processes that may be the one that runs the loop in a folder: a ralph.sh that lies or works there (or at the top
 * of its repository), and a script from which a `codex exec` that works there was started. Shells that such a process
 * has forked are not told again.
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
  // One that is in another folder of the repository has its plan and its logs there.
  const elsewhere = home !== null && repository !== null && home.startsWith(`${repository}/`);
  return cwd !== null && cwd === repository && !elsewhere;
}

const worksIn = ({ cwd }: SeenProcess, { folder, repository }: LoopGround): boolean =>
  cwd !== null && (cwd === folder || cwd === repository);

/** The script that has started a worker, with nothing but what is known to be between them. */
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

/** A shell that forks has the same command line as the one that it comes from. */
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

/** The folder in which a path lies, without `.` and `..` in it; null where the path is relative to nothing known. */
function folderOf(path: string, cwd: string | null): string | null {
  if (!path.startsWith('/') && cwd === null) return null;
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.slice(0, -1).join('/')}`;
}

/** How the operator knows the process again: the script that it runs, else its program. */
export const programOf = (args: readonly string[]): string => scriptOf(args)?.path ?? args[0] ?? '';

/** N, as ralph.sh takes it: a bare number, or behind `--max-iterations`. Null where the command line does not tell. */
export function iterationsOf(args: readonly string[]): number | null {
  const rest = scriptOf(args)?.rest ?? args.slice(1);
  const text = rest.join(' ');
  const named = /(?:^| )(?:-n|--(?:max-)?iterations)[= ](\d+)(?: |$)/.exec(text)?.[1];
  const bare = rest.findLast((word, index) => /^\d+$/.test(word) && !/^-/.test(rest[index - 1] ?? ''));
  const value = Number(named ?? bare ?? 0);
  return value >= 1 && value <= 1_000 ? value : null;
}

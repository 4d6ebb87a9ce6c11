import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { STRAY_GRACE_MS } from '../../../limits/core';
import { signal, until } from './end-group';

/**
 * Variables of a person's session: a program that has one of them is a shell, an editor, a terminal multiplexer or a
 * service of theirs. What an agent started without clearing its environment bears a mark.
 */
const OF_A_PERSON =
  /(?:^|\0)(?:DISPLAY|WAYLAND_DISPLAY|XDG_SESSION_ID|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|SSH_CONNECTION|TERM|TERM_PROGRAM|LOGNAME|INVOCATION_ID)=/;
/** Muster ends these by their marks. */
const MARKED = /(?:^|\0)MUSTER_[A-Z]+=/;

export interface Forsaken {
  readonly pid: number;
  readonly command: string;
}

interface Seen extends Forsaken {
  readonly parent: number;
  readonly terminal: number;
  readonly environment: string;
  readonly cwd: string;
}

/**
 * Ends processes in these folders that have left everything by which Muster knows its own: a program that an agent
 * started with an empty environment in a session of its own. The folders must be Muster's. Linux only: elsewhere the
 * working folder and the environment of a process are not available.
 */
export async function endForsaken(given: readonly string[]): Promise<readonly Forsaken[]> {
  if (process.platform !== 'linux' || given.length === 0) return [];
  // The system reports folders with links resolved.
  const folders = await Promise.all(given.map((folder) => realpath(folder).catch(() => folder)));
  const found = await forsakenIn(folders);
  if (found.length === 0) return found;
  for (const { pid } of found) signal(pid, 'SIGTERM');
  let survivors = found;
  const gone = async (): Promise<boolean> => {
    survivors = await forsakenIn(folders);
    return survivors.length === 0;
  };
  // Twice: a process that forks while being killed leaves a child behind.
  for (let round = 0; round < 2 && !(await until(gone, STRAY_GRACE_MS)); round += 1)
    for (const { pid } of survivors) signal(pid, 'SIGKILL');
  return found.map(({ pid, command }) => ({ pid, command }));
}

async function forsakenIn(folders: readonly string[]): Promise<readonly Seen[]> {
  const seen = new Map<number, Seen>();
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const one of await Promise.all(names.map((name) => read(Number(name)))))
    if (one !== null) seen.set(one.pid, one);
  return [...seen.values()].filter((one) => isInside(one.cwd, folders) && isForsaken(one, seen));
}

const isInside = (cwd: string, folders: readonly string[]): boolean =>
  folders.some((folder) => cwd === folder || cwd.startsWith(`${folder}${sep}`));

/** A process of Muster itself, such as git, has this process or one with a mark among its ancestors. */
function isForsaken(one: Seen, seen: ReadonlyMap<number, Seen>): boolean {
  if (one.terminal !== 0 || OF_A_PERSON.test(one.environment)) return false;
  const line = new Set<number>();
  for (let at: Seen | undefined = one; at !== undefined && !line.has(at.pid); at = seen.get(at.parent)) {
    if (at.pid === process.pid || MARKED.test(at.environment) || at.terminal !== 0) return false;
    line.add(at.pid);
  }
  return true;
}

/** Null for a process that ended meanwhile, of another user, or of the kernel. */
async function read(pid: number): Promise<Seen | null> {
  try {
    const [stat, environment, cwd, line] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/environ`, 'latin1'),
      readlink(`/proc/${pid}/cwd`),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    // The name in brackets may contain anything, so fields are counted from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const command = line.replace(/\0+$/, '').replaceAll('\0', ' ');
    // The folder may have been removed under it.
    const folder = cwd.replace(/ \(deleted\)$/, '');
    return { pid, command, parent: Number(fields[1]), terminal: Number(fields[4]), environment, cwd: folder };
  } catch {
    return null;
  }
}

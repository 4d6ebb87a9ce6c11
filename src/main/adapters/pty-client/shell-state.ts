import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^muster-shell-(\d+)-\w+$/;

/** A folder in memory where the system has one: what a shell keeps between commands may hold secrets. */
const baseFolder = (): string => process.env.XDG_RUNTIME_DIR ?? tmpdir();

/**
 * Makes the folder, of mode 0700, in which one session's shell keeps its environment between commands. It lives as long
 * as the process with this number, in whose terminals the shell is, and no longer.
 */
export function makeShellState(pid: number, base = baseFolder()): Promise<string> {
  return mkdtemp(join(base, `muster-shell-${pid}-`));
}

/** The folder of this name, which another core made. */
export const shellState = (name: string, base = baseFolder()): string => join(base, name);

/** Removes what was left behind: folders of ours whose process lives no more. */
export async function sweepShellStates(base = baseFolder()): Promise<number> {
  let swept = 0;
  for (const name of await readdir(base).catch(() => [])) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0);
    if (pid === 0 || alive(pid)) continue;
    const path = join(base, name);
    const facts = await stat(path).catch(() => null);
    if (facts === null || (process.getuid !== undefined && facts.uid !== process.getuid())) continue;
    await rm(path, { recursive: true, force: true });
    swept += 1;
  }
  return swept;
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}

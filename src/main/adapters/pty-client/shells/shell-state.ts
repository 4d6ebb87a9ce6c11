import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const NAME = /^muster-shell-(\d+)-\w+$/;

/** An in-memory folder if the system has one: a shell's saved state may contain secrets. */
const baseFolder = (): string => process.env.XDG_RUNTIME_DIR ?? tmpdir();

/**
 * Creates a folder (mode 0700) for the saved environment of one session's shell. It exists as long as the
 * process with this number, whose terminals contain the shell.
 */
export function makeShellState(pid: number, base = baseFolder()): Promise<string> {
  return mkdtemp(join(base, `muster-shell-${pid}-`));
}

/** The folder with this name, created by another core. */
export const shellState = (name: string): string => join(baseFolder(), name);

/**
 * In the folder of a shell that ended when its session was parked: the shell's output path, which identifies
 * it. It stays until the next command starts a shell, since a crash may come before.
 */
const RESTING = 'resting';

/** The shell has ended, and its session may be resumed: its saved state is kept. */
export const restShellState = (state: string, output: string): Promise<void> =>
  writeFile(join(state, RESTING), output, { mode: 0o600 });

/** The folder with the saved state of the shell with this output; null: there is none. */
export async function restingShellState(output: string): Promise<string | null> {
  return (await resting()).find(([, of]) => of === output)?.[0] ?? null;
}

/** Removes saved states for none of these outputs, of shells in this process's terminals. */
export async function dropResting(pid: number, outputs: ReadonlySet<string>): Promise<void> {
  for (const [state, of] of await resting())
    if (!outputs.has(of) && Number(NAME.exec(basename(state))?.[1]) === pid)
      await rm(state, { recursive: true, force: true });
}

async function resting(): Promise<[state: string, output: string][]> {
  const base = baseFolder();
  const names = (await readdir(base).catch(() => [])).filter((name) => NAME.test(name));
  const found = names.map(async (name): Promise<[string, string][]> => {
    if (!(await isOurs(join(base, name)))) return [];
    const output = await readFile(join(base, name, RESTING), 'utf8').catch(() => null);
    return output === null ? [] : [[join(base, name), output]];
  });
  return (await Promise.all(found)).flat();
}

/** Removes all folders of shells in the terminals of this process, which is ending. */
export async function dropShellStates(pid: number, base = baseFolder()): Promise<void> {
  for (const name of await readdir(base).catch(() => []))
    if (Number(NAME.exec(name)?.[1]) === pid && (await isOurs(join(base, name))))
      await rm(join(base, name), { recursive: true, force: true });
}

/** Removes leftover folders whose process no longer exists. */
export async function sweepShellStates(base = baseFolder()): Promise<number> {
  let swept = 0;
  for (const name of await readdir(base).catch(() => [])) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0);
    if (pid === 0 || alive(pid)) continue;
    const path = join(base, name);
    if (!(await isOurs(path))) continue;
    await rm(path, { recursive: true, force: true });
    swept += 1;
  }
  return swept;
}

/** In a shared folder, another user may create one with such a name. */
async function isOurs(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => null);
  return facts !== null && (process.getuid === undefined || facts.uid === process.getuid());
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}

import { execFile } from 'node:child_process';
import { GROUP_GRACE_MS, GROUP_REMOVED_MS, STRAY_GRACE_MS } from '../../../limits/core';
import { allProcesses, findMarked } from '../table/process-table';

export const LAUNCH_MARK = 'MUSTER_LAUNCH';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Sends a signal to a process (`pid`) or group (`-pid`); false if there is none. */
export function signal(target: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, name);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Zombies do not count: if nothing reaps them (a container without init) they stay forever. */
async function groupLives(group: number): Promise<boolean> {
  if (!signal(-group, 0)) return false;
  return (await allProcesses()).some((row) => row.group === group && !row.zombie);
}

export async function until(gone: () => Promise<boolean>, limitMs: number): Promise<boolean> {
  const limit = performance.now() + limitMs;
  for (let pause = 5; ; pause = Math.min(pause * 2, 80)) {
    if (await gone()) return true;
    if (performance.now() >= limit) return false;
    await sleep(pause);
  }
}

/** Processes with the launch's mark, wherever they moved. */
async function strays(mark: string): Promise<number[]> {
  const marked = await findMarked(LAUNCH_MARK, (value) => value === mark);
  if (marked.length === 0) return [];
  const living = new Set((await allProcesses()).filter((row) => !row.zombie).map((row) => row.pid));
  return marked.map((entry) => entry.pid).filter((pid) => living.has(pid));
}

async function endStrays(mark: string): Promise<void> {
  let survivors = await strays(mark);
  if (survivors.length === 0) return;
  for (const pid of survivors) signal(pid, 'SIGTERM');
  await until(async () => {
    survivors = await strays(mark);
    return survivors.length === 0;
  }, STRAY_GRACE_MS);
  // Twice: a process that forks while being killed leaves a child behind.
  for (let round = 0; round < 2 && survivors.length > 0; round += 1) {
    for (const pid of survivors) signal(pid, 'SIGKILL');
    await sleep(20);
    survivors = await strays(mark);
  }
}

/** Ends a process group, TERM then KILL, and processes that left it but carry its launch's mark. */
export async function endGroup(group: number, mark: string | null): Promise<void> {
  if (process.platform === 'win32') return endTree(group);
  if (await groupLives(group)) {
    signal(-group, 'SIGTERM');
    if (!(await until(async () => !(await groupLives(group)), GROUP_GRACE_MS))) {
      signal(-group, 'SIGKILL');
      await until(async () => !(await groupLives(group)), GROUP_REMOVED_MS);
    }
  }
  if (mark !== null) await endStrays(mark);
}

function endTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/pid', String(pid), '/t', '/f'], { windowsHide: true }, () => resolve());
  });
}

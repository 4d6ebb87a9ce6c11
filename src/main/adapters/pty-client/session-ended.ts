import { readdir, readFile } from 'node:fs/promises';
import { SESSION_END_CHECK_MS } from '../../limits/core';

/** Waits until no process of this session is left; false if one still is after this time. */
export async function sessionEnded(leader: number, withinMs: number): Promise<boolean> {
  for (const until = performance.now() + withinMs; ; ) {
    if (!(await lives(leader))) return true;
    if (performance.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, SESSION_END_CHECK_MS));
  }
}

async function lives(leader: number): Promise<boolean> {
  if (process.platform === 'linux') return livesInProc(leader);
  try {
    // On Windows terminals end with their process.
    return process.platform !== 'win32' && process.kill(-leader, 0);
  } catch {
    return false;
  }
}

async function livesInProc(leader: number): Promise<boolean> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(names.map((name) => isOf(leader, name)));
  return found.includes(true);
}

/** A process that only waits to be reaped counts as ended. */
async function isOf(leader: number, name: string): Promise<boolean> {
  const line = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
  // The name in brackets may contain anything, so fields are counted from the last bracket.
  const [state, , group, session] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return state !== 'Z' && state !== 'X' && (Number(group) === leader || Number(session) === leader);
}

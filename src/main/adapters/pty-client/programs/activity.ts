import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import type { ProcessActivity } from '../../../core/ports/programs/interactive';
import { CPU_TICK_MS } from '../../../limits/core';

/** A larger process tree is certainly busy. */
const MOST_PROCESSES = 500;

/** The processes below a process, and their total CPU time; null if unavailable. */
export function activityOf(pid: number): Promise<ProcessActivity | null> {
  if (process.platform === 'linux') return fromProc(pid);
  return process.platform === 'win32' ? Promise.resolve(null) : fromPs(pid);
}

async function fromProc(pid: number): Promise<ProcessActivity | null> {
  const ownCpu = await cpuOf(pid);
  if (ownCpu === null) return null;
  let cpuMs = ownCpu;
  let children = 0;
  const open = [pid];
  while (open.length > 0 && children < MOST_PROCESSES) {
    const below = await childrenOf(open.pop() ?? pid);
    if (below === null) return null;
    for (const child of below) {
      const used = await cpuOf(child);
      if (used === null) continue;
      children += 1;
      cpuMs += used;
      open.push(child);
    }
  }
  return { children, cpuMs };
}

/** Null if the kernel does not provide it; a process that has just ended has none. */
async function childrenOf(pid: number): Promise<number[] | null> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const found: number[] = [];
  for (const task of tasks) {
    const text = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => null);
    if (text === null && task === String(pid)) return (await alive(pid)) ? null : [];
    found.push(...(text ?? '').split(' ').filter(Boolean).map(Number));
  }
  return found;
}

const alive = async (pid: number): Promise<boolean> => (await cpuOf(pid)) !== null;

/** Null for a process that has ended or only waits to be reaped. */
async function cpuOf(pid: number): Promise<number | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (line === null) return null;
  // The name in brackets may contain anything, so fields are counted from the last bracket.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  return (Number(fields[11]) + Number(fields[12])) * CPU_TICK_MS;
}

function fromPs(pid: number): Promise<ProcessActivity | null> {
  return new Promise((resolve) => {
    execFile('/bin/ps', ['-A', '-o', 'pid=,ppid=,time='], { timeout: 3000 }, (error, output) => {
      if (error) return resolve(null);
      const rows = output.split('\n').flatMap((line) => {
        const [own, parent, time] = line.trim().split(/\s+/);
        return time === undefined ? [] : [{ pid: Number(own), parent: Number(parent), cpuMs: clockMs(time) }];
      });
      const family = new Set([pid]);
      // Parents usually precede their children; a second pass finds the others.
      for (const row of [...rows, ...rows]) if (family.has(row.parent)) family.add(row.pid);
      const members = rows.filter((row) => family.has(row.pid));
      const cpuMs = members.reduce((sum, row) => sum + row.cpuMs, 0);
      resolve(members.length === 0 ? null : { children: members.length - 1, cpuMs });
    });
  });
}

/** `1:02.50`, `3:01:02`, `1-03:01:02`. */
function clockMs(time: string): number {
  const [clock = '', days = '0'] = time.split('-').reverse();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return (seconds + Number(days) * 86_400) * 1000;
}

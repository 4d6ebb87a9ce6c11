import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { FAMILY_CHECK_MS } from '../../../limits/terminal-host';

/**
 * The processes of one terminal: its process group and session, and whatever inherited its mark in the
 * environment.
 */
export interface Family {
  readonly leader: number;
  /** `NAME=value` in each one's environment. */
  readonly mark: string;
}

const KILL_ROUNDS = 20;

/**
 * True while a process of the terminal's own group is alive. Zombies do not count: they may never be reaped.
 */
export async function groupLives(family: Family): Promise<boolean> {
  if (process.platform === 'win32') return false;
  try {
    process.kill(-family.leader, 0);
  } catch {
    return false;
  }
  const all = await processes();
  return all.some((one) => one.group === family.leader);
}

/**
 * TERM to each, and KILL to the rest after the grace period. Resolves when none is left, or none can be
 * ended.
 */
export async function endFamily(family: Family, graceMs: number): Promise<void> {
  if (process.platform === 'win32') return endTree(family.leader);
  if (graceMs > 0) {
    signal(await members(family), ['SIGTERM', 'SIGCONT']);
    const until = Date.now() + graceMs;
    while (Date.now() < until) {
      if ((await members(family)).length === 0) return;
      await pause(FAMILY_CHECK_MS);
    }
  }
  for (let round = 0; round < KILL_ROUNDS; round += 1) {
    const survivors = await members(family);
    if (survivors.length === 0) return;
    signal(survivors, ['SIGKILL']);
    await pause(FAMILY_CHECK_MS);
  }
}

function signal(pids: readonly number[], signals: readonly NodeJS.Signals[]): void {
  for (const pid of pids) {
    for (const name of signals) {
      try {
        process.kill(pid, name);
      } catch {
        // Ended meanwhile, or not ours to end.
      }
    }
  }
}

async function members(family: Family): Promise<number[]> {
  const all = await processes();
  const found = all.filter(
    (one) => one.group === family.leader || one.session === family.leader || hasMark(one.pid, family.mark),
  );
  return found.map((one) => one.pid);
}

interface Seen {
  readonly pid: number;
  readonly group: number;
  readonly session: number | null;
}

async function processes(): Promise<Seen[]> {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

function fromProc(): Seen[] {
  const seen: Seen[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const line = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name in brackets may contain anything, so fields are counted from the last bracket.
      const [state, , group, session] = line.slice(line.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z' || state === 'X') continue;
      seen.push({ pid: Number(name), group: Number(group), session: Number(session) });
    } catch {
      // Ended during the read.
    }
  }
  return seen;
}

function fromPs(): Promise<Seen[]> {
  return new Promise((resolve) => {
    execFile('ps', ['-A', '-o', 'pid=,pgid=,stat='], (_error, output) => {
      const rows = output.split('\n').map((line) => line.trim().split(/\s+/));
      const alive = rows.filter(([pid, , state]) => pid && state && !state.startsWith('Z'));
      resolve(alive.map(([pid, group]) => ({ pid: Number(pid), group: Number(group), session: null })));
    });
  });
}

function hasMark(pid: number, mark: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${mark}\0`);
  } catch {
    return false;
  }
}

function endTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/PID', String(pid), '/T', '/F'], () => resolve());
  });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

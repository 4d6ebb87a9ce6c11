import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { PROCESS_TABLE_BYTES } from '../../../limits/core-sizes';

/** One process of the operating system. `start` with the pid identifies it, at least until a reboot. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly zombie: boolean;
  readonly start: string;
}

/** Fields of /proc/PID/stat after the name, which may contain blanks and brackets. */
function parseStat(pid: number, stat: string): ProcessRow | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const start = fields[19];
  if (state === undefined || parent === undefined || group === undefined || start === undefined) return null;
  return { pid, parent: Number(parent), group: Number(group), zombie: state === 'Z' || state === 'X', start };
}

async function procRow(pid: number): Promise<ProcessRow | null> {
  try {
    return parseStat(pid, await readFile(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return null;
  }
}

export async function procPids(): Promise<number[]> {
  return (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid) && pid > 0);
}

export function output(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: 5000, maxBuffer: PROCESS_TABLE_BYTES, env: { ...process.env, LC_ALL: 'C' } };
    execFile(file, args, options, (_error, stdout) => resolve(stdout));
  });
}

const PS_ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})/;

async function psRows(selection: readonly string[]): Promise<ProcessRow[]> {
  const text = await output('/bin/ps', [...selection, '-o', 'pid=,ppid=,pgid=,stat=,lstart=']);
  return text.split('\n').flatMap((line) => {
    const match = PS_ROW.exec(line);
    if (!match) return [];
    const [, pid, parent, group, stat, start] = match;
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        zombie: stat?.startsWith('Z') ?? false,
        start: start ?? '',
      },
    ];
  });
}

const onLinux = process.platform === 'linux';

export async function allProcesses(): Promise<ProcessRow[]> {
  if (process.platform === 'win32') return [];
  if (!onLinux) return psRows(['-A']);
  const rows = await Promise.all((await procPids()).map(procRow));
  return rows.filter((row) => row !== null);
}

export async function processRow(pid: number): Promise<ProcessRow | null> {
  if (process.platform === 'win32') return null;
  return onLinux ? procRow(pid) : ((await psRows(['-p', String(pid)]))[0] ?? null);
}

/** Processes whose environment has `name` with a value accepted by `wanted`, with that value. */
export async function findMarked(
  name: string,
  wanted: (value: string) => boolean,
): Promise<{ pid: number; value: string }[]> {
  if (process.platform === 'win32') return [];
  const found = onLinux ? await markedInProc(name) : await markedInPs(name);
  return found.filter((entry) => entry.pid !== process.pid && wanted(entry.value));
}

async function markedInProc(name: string): Promise<{ pid: number; value: string }[]> {
  const needle = `${name}=`;
  const entries = await Promise.all(
    (await procPids()).map(async (pid) => {
      try {
        const environment = await readFile(`/proc/${pid}/environ`, 'latin1');
        if (!environment.includes(needle)) return null;
        const pair = environment.split('\0').find((one) => one.startsWith(needle));
        return pair === undefined ? null : { pid, value: pair.slice(needle.length) };
      } catch {
        // Ended meanwhile, or another user's.
        return null;
      }
    }),
  );
  return entries.filter((entry) => entry !== null);
}

async function markedInPs(name: string): Promise<{ pid: number; value: string }[]> {
  const text = await output('/bin/ps', ['-A', '-E', '-ww', '-o', 'pid=,command=']);
  const pattern = new RegExp(`^\\s*(\\d+)\\s.*\\s${name}=(\\S+)`);
  return text.split('\n').flatMap((line) => {
    const match = pattern.exec(line);
    return match?.[1] && match[2] ? [{ pid: Number(match[1]), value: match[2] }] : [];
  });
}

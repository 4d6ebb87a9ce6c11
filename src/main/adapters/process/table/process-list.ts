import { readFile, readlink } from 'node:fs/promises';
import type { ProcessList, SeenProcess } from '../../../core/ports/programs/process';
import { CPU_TICK_MS } from '../../../limits/core';
import { output, procPids } from './process-table';

type Matters = (args: readonly string[]) => boolean;

/** Linux processes, from /proc. Working folders of other users' processes are not available. */
class ProcList implements ProcessList {
  async all(matters: Matters): Promise<readonly SeenProcess[] | null> {
    const now = await upSince();
    const rows = await Promise.all((await procPids()).map((pid) => seen(pid, now, matters)));
    return rows.filter((row) => row !== null);
  }

  async one(pid: number): Promise<SeenProcess | 'gone'> {
    return (await seen(pid, await upSince(), () => true)) ?? 'gone';
  }
}

/** When the machine was started, in milliseconds since 1970. */
async function upSince(): Promise<number> {
  const [seconds] = (await readFile('/proc/uptime', 'utf8')).split(' ');
  return Date.now() - Number(seconds) * 1000;
}

async function seen(pid: number, up: number, matters: Matters): Promise<SeenProcess | null> {
  try {
    const [line, stat] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    const args = line.replace(/\0$/, '').split('\0');
    // The name itself may contain blanks and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A kernel thread has no command line, a zombie does nothing any more.
    if (line === '' || fields[0] === 'Z' || fields[0] === 'X') return null;
    const mark = fields[19] ?? '';
    const cwd = matters(args) ? await readlink(`/proc/${pid}/cwd`).catch(() => null) : null;
    return { pid, parent: Number(fields[1]), args, cwd, startedAt: up + Number(mark) * CPU_TICK_MS, mark };
  } catch {
    // Ended meanwhile.
    return null;
  }
}

const PS = ['-ww', '-o', 'pid=,ppid=,stat=,lstart=,command='];
const PS_ROW = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)$/;

/** Parses `ps`. It prints a command line as one text, so an argument with blanks is split. */
export function readPs(text: string): SeenProcess[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, stat, started = '', command = ''] = PS_ROW.exec(line) ?? [];
    if (pid === undefined || stat?.startsWith('Z')) return [];
    const startedAt = Date.parse(started);
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        cwd: null,
        mark: started.replace(/\s+/g, ' '),
        args: command.trim().split(/\s+/),
        startedAt: Number.isNaN(startedAt) ? null : startedAt,
      },
    ];
  });
}

/** Parses `lsof -Fpn`: a line `pPID`, then a line `nPATH` with its folder. */
export function readLsof(text: string): ReadonlyMap<number, string> {
  const folders = new Map<number, string>();
  let pid = 0;
  for (const line of text.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    else if (line.startsWith('n')) folders.set(pid, line.slice(1));
  }
  return folders;
}

/** The processes of a macOS. */
class PsList implements ProcessList {
  async all(matters: Matters): Promise<readonly SeenProcess[]> {
    return withFolders(readPs(await output('/bin/ps', ['-A', ...PS])), matters);
  }

  async one(pid: number): Promise<SeenProcess | 'gone'> {
    const [row] = await withFolders(readPs(await output('/bin/ps', ['-p', String(pid), ...PS])), () => true);
    return row ?? 'gone';
  }
}

async function withFolders(rows: readonly SeenProcess[], matters: Matters): Promise<readonly SeenProcess[]> {
  const wanted = rows.filter(({ args }) => matters(args)).map(({ pid }) => pid);
  if (wanted.length === 0) return rows;
  const listing = await output('/usr/sbin/lsof', ['-a', '-d', 'cwd', '-Fpn', '-p', wanted.join()]);
  const folders = readLsof(listing);
  return rows.map((row) => ({ ...row, cwd: folders.get(row.pid) ?? null }));
}

const untold: ProcessList = { all: async () => null, one: async () => null };

/** This machine's processes: from /proc if it exists, `ps` and `lsof` on macOS, otherwise unavailable. */
export function createProcessList(): ProcessList {
  if (process.platform === 'linux') return new ProcList();
  return process.platform === 'darwin' ? new PsList() : untold;
}

import { readFile, readlink } from 'node:fs/promises';
import type { ProcessList, SeenProcess } from '../../core/ports/process';
import { CPU_TICK_MS } from '../../limits/core';
import { output, procPids } from './process-table';

type Matters = (args: readonly string[]) => boolean;

/** The processes of a Linux, from /proc. Of other users' it does not tell where they work. */
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
    // The name itself may hold blanks and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A thread of the kernel has no command line, a zombie works no more.
    if (line === '' || fields[0] === 'Z' || fields[0] === 'X') return null;
    const mark = fields[19] ?? '';
    const cwd = matters(args) ? await readlink(`/proc/${pid}/cwd`).catch(() => null) : null;
    return { pid, parent: Number(fields[1]), args, cwd, startedAt: up + Number(mark) * CPU_TICK_MS, mark };
  } catch {
    // Gone meanwhile.
    return null;
  }
}

const PS = ['-ww', '-o', 'pid=,ppid=,stat=,lstart=,command='];
const PS_ROW = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)$/;

/** The rows of `ps`. It tells a command line as one text: an argument with blanks in it comes as several. */
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

/** What `lsof -Fpn` tells: a line `pPID`, then one `nPATH` of its folder. */
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
  const told = await output('/usr/sbin/lsof', ['-a', '-d', 'cwd', '-Fpn', '-p', wanted.join()]);
  const folders = readLsof(told);
  return rows.map((row) => ({ ...row, cwd: folders.get(row.pid) ?? null }));
}

const untold: ProcessList = { all: async () => null, one: async () => null };

/** The processes of this machine: /proc where there is one, `ps` and `lsof` on macOS, else nothing is told. */
export function createProcessList(): ProcessList {
  if (process.platform === 'linux') return new ProcList();
  return process.platform === 'darwin' ? new PsList() : untold;
}

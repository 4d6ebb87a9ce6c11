import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in ticks of 10 ms on every machine that Node supports. */
const TICK_MS = 10;
/** The process id of the parent of all kernel threads. */
const KERNEL_THREADS = 2;

/** Milliseconds of processor time. */
export interface ProcessorTime {
  /**
   * Of a process, its threads and its ended children, and of the kernel's workers, which carry the bytes of a
   * terminal from one end to the other.
   */
  readonly cpuMs: number;
  /** Of everything else on the machine, and of other machines on the same processors. */
  readonly othersMs: number;
}

/**
 * Begins to count for a process; the returned function returns the time used since. Null if the system does
 * not report it.
 */
export function countProcessorTime(pid: number): () => ProcessorTime | null {
  const before = now(pid);
  return () => {
    const after = now(pid);
    if (before === null || after === null) return null;
    const cpuMs = after.own - before.own;
    return { cpuMs, othersMs: Math.max(0, after.all - before.all - cpuMs) };
  };
}

function now(pid: number): { own: number; all: number } | null {
  const own = fieldsOf(pid);
  if (!own) return null;
  let workers = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const found = fieldsOf(name);
    if (found && Number(found.fields[1]) === KERNEL_THREADS && found.name.startsWith('kworker'))
      workers += sum(found.fields.slice(11, 13));
  }
  // "cpu", then user, nice, system, idle, waiting for the disk, interrupts of two kinds, stolen by other
  // machines.
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user, nice, system, , , ...rest] = line.split(/\s+/).slice(1, 9);
  const all = sum([user ?? '', nice ?? '', system ?? '', ...rest]);
  return { own: sum(own.fields.slice(11, 15)) + workers, all };
}

function fieldsOf(
  pid: number | string,
): { readonly name: string; readonly fields: readonly string[] } | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain anything, so the fields are counted from the last bracket.
    const end = line.lastIndexOf(')');
    return { name: line.slice(line.indexOf('(') + 1, end), fields: line.slice(end + 2).split(' ') };
  } catch {
    return null;
  }
}

const sum = (ticks: readonly string[]): number =>
  ticks.reduce((total, one) => total + Number(one), 0) * TICK_MS;

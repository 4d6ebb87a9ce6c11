import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in ticks of 10 ms on every machine that Node runs on. */
const TICK_MS = 10;
/** The number of the kernel's own parent of all its threads. */
const KERNEL_THREADS = 2;

function fieldsOf(
  pid: number | string,
): { readonly name: string; readonly fields: readonly string[] } | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything, so the fields are counted from the last bracket.
    const end = line.lastIndexOf(')');
    return { name: line.slice(line.indexOf('(') + 1, end), fields: line.slice(end + 2).split(' ') };
  } catch {
    return null;
  }
}

const sum = (fields: readonly string[], from: number, to: number): number =>
  fields.slice(from, to).reduce((total, ticks) => total + Number(ticks), 0) * TICK_MS;

/**
 * Milliseconds of processor time that a process has used, its threads and what it has started and seen end included,
 * and with it the kernel's workers, which carry the bytes of a terminal from one end to the other. Null where the
 * system does not tell.
 */
export function processorTime(pid: number): number | null {
  const own = fieldsOf(pid);
  if (!own) return null;
  let workers = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const found = fieldsOf(name);
    if (found && Number(found.fields[1]) === KERNEL_THREADS && found.name.startsWith('kworker'))
      workers += sum(found.fields, 11, 13);
  }
  return sum(own.fields, 11, 15) + workers;
}

/** What was used since `before`. */
export function usedSince(pid: number, before: number | null): number | null {
  const now = processorTime(pid);
  return now === null || before === null ? null : now - before;
}

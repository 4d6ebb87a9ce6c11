import { allProcesses, findMarked, type ProcessRow } from '../table/process-table';
import type { RegistryEntry } from '../table/registry';
import { endGroup, signal } from './end-group';

export const INSTANCE_MARK = 'MUSTER_INSTANCE';

export interface Reaped {
  /** Ids of processes that were found alive and ended. */
  readonly ended: readonly number[];
}

/** This process and its ancestors are never ended, whatever mark they carry. */
function ancestry(rows: readonly ProcessRow[]): Set<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.parent]));
  const line = new Set<number>();
  for (let pid: number | undefined = process.pid; pid !== undefined && pid > 0 && !line.has(pid); ) {
    line.add(pid);
    pid = parents.get(pid);
  }
  return line;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** If Muster was killed just now, their guards are active too; ending twice is harmless. */
async function endMarked(isOld: (instance: string) => boolean, spared: Set<number>): Promise<number[]> {
  const living = async () => {
    const rows = new Map((await allProcesses()).map((row) => [row.pid, row]));
    const marked = await findMarked(INSTANCE_MARK, isOld);
    return marked
      .map((entry) => entry.pid)
      .filter((pid) => !spared.has(pid) && rows.get(pid)?.zombie === false);
  };
  const found = new Set<number>();
  let survivors = await living();
  for (const pid of survivors) found.add(pid);
  for (const pid of survivors) signal(pid, 'SIGTERM');
  for (let waited = 0; survivors.length > 0 && waited < 1000; waited += 50) {
    await sleep(50);
    survivors = await living();
  }
  for (let round = 0; round < 3 && survivors.length > 0; round += 1) {
    for (const pid of survivors) {
      found.add(pid);
      signal(pid, 'SIGKILL');
    }
    await sleep(30);
    survivors = await living();
  }
  return [...found];
}

/**
 * Ends what an earlier instance of the same data folder left. Call only as holder of the folder's lease,
 * otherwise a second instance would end the first one's work.
 */
export async function reap(
  entries: readonly RegistryEntry[],
  isOld: (instance: string) => boolean,
): Promise<Reaped> {
  const rows = await allProcesses();
  const spared = ancestry(rows);
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const recorded = entries.filter((entry) => {
    const row = byPid.get(entry.pid);
    return row !== undefined && !row.zombie && row.start === entry.start && !spared.has(entry.pid);
  });
  // By the mark first: it also finds processes that left their group, or whose guard was killed.
  const marked = await endMarked(isOld, spared);
  await Promise.all(recorded.map((entry) => endGroup(entry.pid, entry.launch)));
  return { ended: [...new Set([...marked, ...recorded.map((entry) => entry.pid)])] };
}

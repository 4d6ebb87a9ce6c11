import { join } from 'node:path';
import { modules, root } from '../../tools/lib/paths.mjs';
import { must, onPath } from '../../tools/lib/run.mjs';

/**
 * The environment of a process whose syncs take at least this many milliseconds, as on the disk for which a
 * goal was set: on a faster disk our own work has a larger share. Null if this is impossible.
 */
export async function slowSyncEnv(ms) {
  if (process.platform !== 'linux' || !onPath('cc')) return null;
  const library = modules('.cache', 'slow-sync.so');
  await must('cc', [
    '-O2',
    '-shared',
    '-fPIC',
    '-o',
    library,
    join(root, 'bench', 'native', 'slow-sync.c'),
    '-ldl',
  ]);
  return { LD_PRELOAD: library, SYNC_NS: String(Math.round(ms * 1e6)) };
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Every process of a terminal carries this mark, extended by the terminal's number. It names the data folder and the
 * terminal process with its start time, so that the next one can tell whether that still lives.
 */
export function hostMark(dataDir: string): string {
  return `MUSTER_TERMINAL=${folderHash(dataDir)}-${process.pid}-${startTime(process.pid) ?? Date.now()}`;
}

/**
 * Ends what a terminal process of this data folder left behind when both it and its guard were killed. Only Linux shows
 * the environment of a process; elsewhere the guard alone must do. Gives how many it ended.
 */
export function endOrphans(dataDir: string): number {
  if (process.platform !== 'linux') return 0;
  const pattern = new RegExp(`(?:^|\\0)MUSTER_TERMINAL=${folderHash(dataDir)}-(\\d+)-(\\d+)/`);
  let ended = 0;
  for (const name of readdirSync('/proc')) {
    // We may ourselves have been started in a terminal of an earlier Muster.
    if (!/^\d+$/.test(name) || Number(name) === process.pid || Number(name) === process.ppid) continue;
    try {
      const found = pattern.exec(readFileSync(`/proc/${name}/environ`, 'latin1'));
      if (!found || startTime(Number(found[1])) === Number(found[2])) continue;
      process.kill(Number(name), 'SIGKILL');
      ended += 1;
    } catch {
      // Ended meanwhile, or another user's.
    }
  }
  return ended;
}

const folderHash = (dataDir: string): string =>
  createHash('sha256').update(dataDir).digest('hex').slice(0, 16);

/** In ticks since the machine started: with the pid it names a process for good. */
function startTime(pid: number): number | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const started = line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
    return started === undefined ? null : Number(started);
  } catch {
    return null;
  }
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * The mark of every process of a terminal, followed by the terminal's number. It contains the data folder and
 * the terminal process with its start time, so that the next one can tell whether that is still alive.
 */
export function hostMark(dataDir: string): string {
  return `MUSTER_TERMINAL=${folderHash(dataDir)}-${process.pid}-${startTime(process.pid) ?? Date.now()}`;
}

/**
 * Ends what a terminal process of this data folder left behind when both it and its guard were killed. Only
 * Linux exposes a process's environment; elsewhere only the guard works. Returns how many it ended.
 */
export function endOrphans(dataDir: string): number {
  if (process.platform !== 'linux') return 0;
  const pattern = new RegExp(`(?:^|\\0)MUSTER_TERMINAL=${folderHash(dataDir)}-(\\d+)-(\\d+)/`);
  let ended = 0;
  for (const name of readdirSync('/proc')) {
    // This process itself may have been started in a terminal of an earlier Muster.
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

/** In ticks since the machine started: together with the pid it identifies a process. */
function startTime(pid: number): number | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const started = line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
    return started === undefined ? null : Number(started);
  } catch {
    return null;
  }
}

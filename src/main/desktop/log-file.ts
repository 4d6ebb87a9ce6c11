import { appendFile, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const MOST_BYTES = 4 * 1024 * 1024;

/** Main's own log: what it did and what went wrong, never what was said in a run. The last file is kept once more. */
export function openLog(path: string): (level: 'info' | 'warn' | 'error', message: string) => void {
  mkdirSync(dirname(path), { recursive: true });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MOST_BYTES) renameSync(path, `${path}.1`);
  return (level, message) => {
    const line = `${new Date().toISOString()} ${level} ${message}\n`;
    if (level !== 'info') process.stderr.write(`muster: ${message}\n`);
    // A log that cannot be written must not stop what it tells of.
    appendFile(path, line, { mode: 0o600 }, () => undefined);
  };
}

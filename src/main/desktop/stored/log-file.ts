import { appendFile, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { LOG_FILE_BYTES } from '../../limits/main';
import type { Log } from '../../supervise/transport';

interface LogOptions {
  /** Where warnings and errors are also printed: standard error. */
  readonly screen?: Writable;
  readonly mostBytes?: number;
}

/**
 * Main's own log: its actions and errors, never the content of a run. One previous file is kept. A log
 * failure must not stop what is being logged, so nothing here throws.
 */
export function openLog(path: string, options: LogOptions = {}): Log {
  const { screen = process.stderr, mostBytes = LOG_FILE_BYTES } = options;
  let size = sizeOf(path);
  let shown = true;
  // Our parent process may be gone. Unhandled, this would be an uncaught error, which is logged, and
  // printed...
  screen.on('error', () => {
    shown = false;
  });
  return (level, message) => {
    const line = `${new Date().toISOString()} ${level} ${message}\n`;
    if (level !== 'info' && shown) screen.write(`muster: ${message}\n`);
    if (size > mostBytes && setAside(path)) size = 0;
    size += Buffer.byteLength(line);
    appendFile(path, line, { mode: 0o600 }, () => undefined);
  };
}

function sizeOf(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

function setAside(path: string): boolean {
  try {
    renameSync(path, `${path}.1`);
    return true;
  } catch {
    return false;
  }
}

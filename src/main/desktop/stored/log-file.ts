import type { Writable } from 'node:stream';
import { createLogger } from '../../adapters/system/logger';
import type { Log } from '../../supervise/transport';

interface LogOptions {
  /** Where warnings and errors are also printed: standard error. */
  readonly screen?: Writable;
}

/** Main's own log: its actions and errors, never the content of a run. Nothing here throws. */
export function openLog(path: string, { screen = process.stderr }: LogOptions = {}): Log {
  const logger = createLogger(path);
  let shown = true;
  // Our parent process may be gone. Unhandled, this would be an uncaught error, which is logged, and
  // printed...
  screen.on('error', () => {
    shown = false;
  });
  return (level, message) => {
    if (level !== 'info' && shown) screen.write(`muster: ${message}\n`);
    logger[level](message);
  };
}

/** Logs an unexpected error, and returns the number by which it is found there. */
export function logFault(log: Log, name: string, cause: unknown): string {
  const number = Math.trunc(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
  log('error', `${number}: ${name} threw ${cause instanceof Error ? cause.stack : String(cause)}`);
  return number;
}

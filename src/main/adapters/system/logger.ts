import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from '../../core/ports/ports';
import { CORE_LOG_BYTES } from '../../limits/core-sizes';

/** Writes JSON lines to a file of at most 5 MiB, keeping the previous file. Never throws. */
export function createLogger(path: string): Logger {
  const write = (level: string, message: string, detail?: Record<string, unknown>): void => {
    try {
      mkdirSync(dirname(path), { recursive: true });
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > CORE_LOG_BYTES)
        renameSync(path, `${path}.1`);
      appendFileSync(
        path,
        `${JSON.stringify({ at: new Date().toISOString(), level, message, ...detail })}\n`,
        { mode: 0o600 },
      );
    } catch {
      // There is nowhere left to report it.
    }
  };
  return {
    info: (message, detail) => write('info', message, detail),
    warn: (message, detail) => write('warn', message, detail),
    error: (message, detail) => write('error', message, detail),
  };
}

import { type AppError, appError } from '@contract/errors';
import { gitMessage } from './git-command';

/** Converts an error of git or the file system into a value: what was tried, and the result. */
export function failure(what: string, error: unknown, file: string): AppError {
  const message = gitMessage(error);
  const full = /ENOSPC|no space left/i.test(message);
  return appError(full ? 'store.disk_full' : 'workspace.failed', `${what}: ${message}`, {
    where: { file },
    ...(full ? { mend: 'Free some disk space.' } : {}),
  });
}

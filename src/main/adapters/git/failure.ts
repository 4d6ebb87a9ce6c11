import { type AppError, appError } from '@contract/errors';
import { gitMessage } from './git-command';

/** An error of git or of the file system as a value: what was tried, and its result. */
export function failure(what: string, error: unknown, file: string): AppError {
  const message = gitMessage(error);
  const full = /ENOSPC|no space left/i.test(message);
  return appError(full ? 'store.disk_full' : 'workspace.failed', `${what}: ${message}`, {
    where: { file },
    ...(full ? { mend: 'Free some disk space.' } : {}),
  });
}

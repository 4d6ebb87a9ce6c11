import { type AppError, appError } from '@contract/errors';
import Database from 'better-sqlite3';

type SqliteError = InstanceType<typeof Database.SqliteError>;

export const isSqliteError = (fault: unknown): fault is SqliteError => fault instanceof Database.SqliteError;

/** SQLite found bytes that cannot belong to a database. */
export const isCorruption = (fault: unknown): boolean =>
  isSqliteError(fault) && /^SQLITE_(CORRUPT|NOTADB)/.test(fault.code);

/** A row that the schema rejects: a bug of its writer, not a disk error. */
export const isConstraint = (fault: SqliteError): boolean => fault.code.startsWith('SQLITE_CONSTRAINT');

/**
 * An error caused by the disk or another program, in words for the operator; null for a bug, which is
 * rethrown.
 */
export function storeError(fault: unknown, path: string): AppError | null {
  if (!isSqliteError(fault) || isConstraint(fault) || fault.code === 'SQLITE_ERROR') return null;
  const where = { file: path };
  if (fault.code.startsWith('SQLITE_FULL')) {
    return appError('store.disk_full', 'The disk is full: Muster cannot save.', {
      where,
      mend: 'Free some space on this disk. Muster then continues by itself.',
    });
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(fault.code)) {
    return appError('store.locked', 'Another program has locked the database.', {
      where,
      mend: 'Close the program that uses the file.',
    });
  }
  if (isCorruption(fault)) {
    return appError('store.damaged', `The database is damaged: ${fault.message}.`, {
      where,
      mend: 'Start Muster again: it checks the file and sets it aside if it cannot be used.',
    });
  }
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(fault.code)) {
    return appError('store.failed', `Muster may not write the database: ${fault.message}.`, {
      where,
      mend: 'Allow writing to the file and its folder, or choose another place for it.',
    });
  }
  return appError(
    'store.failed',
    `The database cannot be read or written: ${fault.message} (${fault.code}).`,
    {
      where,
      mend: 'Check the disk. Muster retries by itself.',
    },
  );
}

/** Thrown where the port returns no Result: a failed read, or a write that is not a run's event. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
  readonly appError: AppError;

  constructor(error: AppError, cause: unknown) {
    super(error.message, { cause });
    this.appError = error;
  }
}

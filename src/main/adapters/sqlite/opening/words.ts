import { type AppError, appError } from '@contract/errors';
import type { Store } from '../../../core/ports/store/store';
import { storeError } from '../faults';
import { MigrationFault } from '../migrations/migrate';
import { stamp } from './files';

type Notice = Store['notices'][number];

interface Damage {
  readonly path: string;
  readonly at: number;
  readonly what: string;
}

export const indexRebuilt = (at: number, what: string): Notice => ({
  id: `store.index:${stamp(at)}`,
  level: 'info',
  text: `The search index was damaged (${what}) and is being built again. Nothing was lost; searches are whole in a moment.`,
});

/** The notice to the operator about a database that was set aside. */
export const damaged = (aside: string, { path, at, what }: Damage): Notice => ({
  id: `store.damaged:${stamp(at)}`,
  level: 'error',
  text:
    `The database was damaged (${what}). It was set aside, unchanged, as ${aside}, and Muster began an empty one ` +
    `at ${path}. To look for what can still be read: sqlite3 "${aside}" ".recover"`,
});

export const copied = (copy: string, at: number): Notice => ({
  id: `store.copied:${stamp(at)}`,
  level: 'info',
  text: `The database was migrated. A copy of the previous version is in ${copy}`,
});

/** Why the store cannot be opened: an error of SQLite, the file system or a migration; null for a bug. */
export function openingError(fault: unknown, path: string): AppError | null {
  const where = { file: path };
  if (fault instanceof MigrationFault) {
    return appError('store.failed', `${fault.message}. Nothing of this step was kept.`, {
      where,
      mend: 'Report this. A copy for the previous version of Muster is next to it (.bak).',
    });
  }
  if (codeOf(fault) === 'ENOSPC' || codeOf(fault) === 'SQLITE_FULL') {
    return appError('store.disk_full', 'The disk is full: Muster cannot open its database.', {
      where,
      mend: 'Free some space on this disk and start Muster again.',
    });
  }
  if (fault instanceof Error && 'syscall' in fault) {
    return appError('store.failed', `The database cannot be opened: ${fault.message}.`, {
      where,
      mend: 'Allow writing to the file and its folder, or choose another place for it.',
    });
  }
  return storeError(fault, path);
}

const codeOf = (fault: unknown): unknown => (fault instanceof Error && 'code' in fault ? fault.code : null);

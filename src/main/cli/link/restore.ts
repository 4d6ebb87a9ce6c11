import type { Result } from '@contract/result';
import type { Restored, RestoreOptions } from '../../adapters/sqlite/backup/restore';

/** Replaces the database that no core uses. Loaded only here: the other commands talk to a core. */
export async function restoreHere(
  options: Pick<RestoreOptions, 'path' | 'from' | 'artifacts'>,
): Promise<Result<Restored>> {
  const { restoreDatabase } = await import('../../adapters/sqlite/backup/restore');
  return restoreDatabase(options);
}

// biome-ignore lint/style/noRestrictedImports: only checks the folder, and reads nothing in it.
import { constants, promises } from 'node:fs';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import type { Store } from '@main/core/ports/store/store';

/** The projects, each with the problem of its folder, if any. */
export async function projectRows(store: Pick<Store, 'projects'>): Promise<ProjectRow[]> {
  return Promise.all(store.projects().map(async (row) => ({ ...row, trouble: await troubleOf(row.path) })));
}

/** Why Muster cannot work in a folder; null if it can. */
export async function troubleOf(path: string): Promise<string | null> {
  const facts = await promises.stat(path).catch(() => null);
  if (facts === null) return 'The folder is not there.';
  if (!facts.isDirectory()) return 'It is not a folder.';
  const writable = await promises.access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!writable) return 'Muster may not write in this folder.';
  return null;
}

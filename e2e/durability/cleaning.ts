import type { CoreProcess } from './core-process';
import type { Repository } from './repository';

/** Folders of ended runs that were never made ready, as Muster lists them. */
export async function unfinishedFolders(core: CoreProcess): Promise<string[]> {
  const { leftovers } = await core.call('workspace.leftovers', {});
  return leftovers.filter(({ state }) => state === 'unfinished').map(({ path }) => path);
}

/** `muster clean` finds all that the runs left: nothing of Muster's is in the repository afterwards. */
export async function leftAfterCleaning(core: CoreProcess, repository: Repository): Promise<string[]> {
  const { kept, notes } = await core.call('workspace.clean', { unapplied: true });
  const left = [...kept.map(({ path }) => path), ...notes, ...repository.leftovers()];
  return left.map((what) => `after it was cleaned: ${what}`);
}

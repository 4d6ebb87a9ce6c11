import type { MergeChanges } from '../../../core/ports/workspaces/merges';
import type { Git } from '../command/git-command';
import { readable } from '../command/git-command';
import { fileView, MOST_FILES, readHunks } from '../diff/diff';
import { changedFiles } from '../diff/file-list';
import { tryMerge } from './merge-trees';

/**
 * What a merge of two commits would change in the first. Files in conflict are left out: in git's tree they
 * contain conflict markers, and their content is decided separately.
 */
export async function mergeChanges(
  git: Git,
  { into, commit, root }: { readonly into: string; readonly commit: string; readonly root: string },
): Promise<MergeChanges> {
  const { tree, conflicts } = await tryMerge(git, into, commit);
  const open = new Set(conflicts.map(({ path }) => readable(path)));
  const between = { from: into, to: tree, scope: '' };
  const all = await changedFiles(git, between);
  const read = await readHunks({ git, between }, all);
  const files = read
    .slice(0, MOST_FILES)
    .map(fileView)
    .filter(({ path }) => !open.has(path));
  return { root, files, truncated: all.length > MOST_FILES };
}

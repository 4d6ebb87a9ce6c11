import type { MergeChanges, Merges } from '../../../core/ports/workspaces/merges';
import type { Git } from '../command/git-command';
import { readable } from '../command/git-command';
import { fileView, listed, readHunks } from '../diff/diff';
import { changedFiles } from '../diff/file-list';
import { tryMerge } from './merge-trees';

/**
 * What a merge of two commits would change in the first. Files in conflict are left out: in git's tree they
 * contain conflict markers, and their content is decided separately.
 */
export async function mergeChanges(
  git: Git,
  { into, commit, root, only }: Parameters<Merges['changes']>[0] & { readonly root: string },
): Promise<MergeChanges> {
  const { tree, conflicts } = await tryMerge(git, into, commit);
  const open = new Set(conflicts.flatMap(({ path, pieces }) => [path, ...pieces].map(readable)));
  const folders = conflicts.filter(({ folder }) => folder !== null).map(({ path }) => `${readable(path)}/`);
  const between = { from: into, to: tree, scope: '' };
  const all = await changedFiles(git, between);
  listed(all);
  const one = all.find(({ change }) => change.path === only) ?? null;
  const read = await readHunks({ git, between }, all, one);
  const files = read
    .map(fileView)
    .filter(({ path }) => !open.has(path) && !folders.some((folder) => path.startsWith(folder)));
  return { root, files, from: await git.text('rev-parse', `${into}^{tree}`), to: tree };
}

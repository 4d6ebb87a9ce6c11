import type { MergeChanges, MergeInto } from '../../../core/ports/workspaces/merges';
import type { Git } from '../command/git-command';
import { readable } from '../command/git-command';
import { fileView, listed, readHunks } from '../diff/diff';
import { changedFiles } from '../diff/file-list';
import { tryMerge } from './merge-trees';

interface Wanted extends MergeInto {
  readonly root: string;
  readonly only?: string | undefined;
}

/**
 * What a merge of two commits would change in the first. Files in conflict are left out: in git's tree they
 * contain conflict markers, and their content is decided separately.
 */
export async function mergeChanges(git: Git, { root, only, ...wanted }: Wanted): Promise<MergeChanges> {
  const { between, isOpen } = await mergedTrees(git, wanted);
  const all = await changedFiles(git, between);
  listed(all);
  const one = all.find(({ change }) => change.path === only) ?? null;
  const read = await readHunks({ git, between }, all, { one });
  const files = read.map(fileView).filter(({ path }) => !isOpen(path));
  return { root, files, from: await git.text('rev-parse', `${wanted.into}^{tree}`), to: between.to };
}

/** The two trees, and which files of them are in conflict. */
export async function mergedTrees(git: Git, { into, commit }: Pick<MergeInto, 'into' | 'commit'>) {
  const { tree, conflicts } = await tryMerge(git, into, commit);
  const open = new Set(conflicts.flatMap(({ path, pieces }) => [path, ...pieces].map(readable)));
  const folders = conflicts.filter(({ folder }) => folder !== null).map(({ path }) => `${readable(path)}/`);
  return {
    between: { from: into, to: tree, scope: '' },
    isOpen: (path: string) => open.has(path) || folders.some((folder) => path.startsWith(folder)),
  };
}

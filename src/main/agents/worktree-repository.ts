import { basename, dirname, join, resolve } from 'node:path';
import type { WorkspaceFiles } from '../core/ports/files';

export type RepositoryFiles = Pick<WorkspaceFiles, 'readText' | 'real'>;

/**
 * What a commit on a branch writes in the repository. Excludes hooks, configuration, tags and Muster's
 * snapshots. `adapters/git/DESIGN.md` says what an agent can still change there, and how Muster handles it.
 */
const PARTS = ['objects', 'refs/heads', 'logs/refs/heads'];

/**
 * The folders outside of a linked worktree that a commit in it writes; empty if the working folder is no
 * worktree of the project. An agent can change the worktree's `.git` file, so the project determines the
 * repository, and parts that are links are excluded.
 */
export async function repositoryRoots(
  place: { readonly cwd: string; readonly projectPath: string },
  files: RepositoryFiles,
): Promise<string[]> {
  const gitFolder = await gitFolderOf(place.cwd, files);
  const projects = await gitFolderOf(place.projectPath, files);
  // In the operator's own checkout each write needs permission, even if it is a linked worktree.
  if (gitFolder === null || projects === null || gitFolder === projects) return [];
  const common = await files.real(commonFolder(projects));
  if (!isLinked(gitFolder) || (await files.real(commonFolder(gitFolder))) !== common) return [];
  const roots: string[] = [];
  for (const root of [
    join(common, 'worktrees', basename(gitFolder)),
    ...PARTS.map((part) => join(common, part)),
  ]) {
    if ((await files.real(root)) === root) roots.push(root);
  }
  return roots;
}

const isLinked = (gitFolder: string): boolean => basename(dirname(gitFolder)) === 'worktrees';
const commonFolder = (gitFolder: string): string =>
  isLinked(gitFolder) ? dirname(dirname(gitFolder)) : gitFolder;

/** The folder that `.git` is or names, in the given folder or its nearest parent. */
async function gitFolderOf(start: string, files: RepositoryFiles): Promise<string | null> {
  for (let folder = start; ; folder = dirname(folder)) {
    const pointer = await files.readText(join(folder, '.git'), [folder]);
    const named = pointer.ok ? /^gitdir:\s*(.+?)\s*$/m.exec(pointer.value)?.[1] : undefined;
    if (named !== undefined) return resolve(folder, named);
    if ((await files.readText(join(folder, '.git', 'HEAD'), [folder])).ok) return join(folder, '.git');
    if (dirname(folder) === folder) return null;
  }
}

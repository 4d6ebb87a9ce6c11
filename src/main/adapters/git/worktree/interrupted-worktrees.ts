import { lstat, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Git, gitMessage } from '../command/git-command';
import { linkedGitDir, smallFile } from '../worktree-link';
import { type Marker, readMarker } from './marker';

export async function markOf(root: string): Promise<Marker | null> {
  const gitDir = await linkedGitDir(root);
  if (gitDir === null || (await smallFile(join(gitDir, 'muster.json'))) === null) return null;
  return readMarker(gitDir);
}

/**
 * A git killed while it creates a worktree can leave its `commondir` empty. Git then refuses most commands in
 * the whole repository, including the operator's. The file's content is always the same, so it can be
 * restored.
 */
export async function mendCommonDirs(worktreesDir: string): Promise<void> {
  for (const name of await readdir(worktreesDir).catch(() => [])) {
    const gitDir = await linkedGitDir(join(worktreesDir, name));
    if (gitDir === null || basename(dirname(gitDir)) !== 'worktrees') continue;
    const file = join(gitDir, 'commondir');
    const facts = await lstat(file).catch(() => null);
    if (facts?.isFile() && facts.size === 0) await writeFile(file, '../..\n', { flag: 'r+' });
  }
}

/** All worktrees of a repository, from git's list. */
export async function listWorktrees(git: Git, worktreesDir: string): Promise<string> {
  const list = () => git.text('worktree', 'list', '--porcelain');
  try {
    return await list();
  } catch (error) {
    if (!/failed to read .*commondir/.test(gitMessage(error))) throw error;
    await mendCommonDirs(worktreesDir);
    return list();
  }
}

/** Git's entry for the worktree at a path. */
export async function entryOf(git: Git, root: string): Promise<string | null> {
  const list = await listWorktrees(git, dirname(root));
  return list.split('\n\n').find((one) => one.split('\n').includes(`worktree ${root}`)) ?? null;
}

/** Git locks a worktree while creating it: this one was interrupted. */
export const isCutOff = (entry: string): boolean => /^locked initializing/m.test(entry);

/** Git was killed while creating the worktree, so no agent has worked in it. */
export async function wasCutOff(git: Git, root: string): Promise<boolean> {
  const entry = await entryOf(git, root);
  if (entry === null || !isCutOff(entry)) return false;
  const gitDir = (await linkedGitDir(root)) ?? (await registeredGitDir(git, root));
  return gitDir !== null && (await readMarker(gitDir)) === null;
}

/** The git folder of a worktree whose own link is missing. */
export async function registeredGitDir(git: Git, root: string): Promise<string | null> {
  const all = join(await git.text('rev-parse', '--path-format=absolute', '--git-common-dir'), 'worktrees');
  for (const name of await readdir(all).catch(() => [])) {
    const back = (await smallFile(join(all, name, 'gitdir')))?.trim();
    if (back !== undefined && resolve(all, name, back) === join(root, '.git')) return join(all, name);
  }
  return null;
}

/** Removes an incomplete worktree: git wrote its files, and no agent worked there. */
export async function discardInterrupted(git: Git, root: string): Promise<void> {
  // First, because it may repair the folder's link.
  const entry = await entryOf(git, root);
  await rm(root, { recursive: true, force: true });
  if (entry !== null) await git.text('worktree', 'remove', '--force', '--force', root);
}

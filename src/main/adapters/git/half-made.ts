import { lstat, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Git } from './git-command';
import { type Marker, readMarker } from './marker';

/** Larger than any file that git writes there. */
const MOST_BYTES = 64 * 1024;

/** An agent may have put anything in its place. */
export async function smallFile(path: string): Promise<string | null> {
  const facts = await lstat(path).catch(() => null);
  if (facts === null || !facts.isFile() || facts.size > MOST_BYTES) return null;
  return readFile(path, 'utf8').catch(() => null);
}

/** The git folder of a linked worktree, read without git; null where the worktree and the repository do not agree. */
export async function linkedGitDir(root: string): Promise<string | null> {
  const link = join(root, '.git');
  const [, named] = /^gitdir: (.+)\s*$/.exec((await smallFile(link)) ?? '') ?? [];
  if (named === undefined) return null;
  const gitDir = resolve(root, named);
  // A folder that was moved aside still names the git folder of its successor.
  const back = (await smallFile(join(gitDir, 'gitdir')))?.trim();
  return back !== undefined && resolve(gitDir, back) === resolve(link) ? gitDir : null;
}

export async function markOf(root: string): Promise<Marker | null> {
  const gitDir = await linkedGitDir(root);
  if (gitDir === null || (await smallFile(join(gitDir, 'muster.json'))) === null) return null;
  return readMarker(gitDir);
}

/** What git knows of the worktree at a path. */
export async function entryOf(git: Git, root: string): Promise<string | null> {
  const list = await git.text('worktree', 'list', '--porcelain');
  return list.split('\n\n').find((one) => one.split('\n').includes(`worktree ${root}`)) ?? null;
}

/** Git locks a worktree until it is made: this one was cut off. */
export const isCutOff = (entry: string): boolean => /^locked initializing/m.test(entry);

/** Git was killed while it made the worktree. It writes the link before any file. */
export async function wasCutOff(git: Git, root: string): Promise<boolean> {
  const entry = await entryOf(git, root);
  if (entry === null || !isCutOff(entry)) return false;
  return (await linkedGitDir(root)) !== null && (await markOf(root)) === null;
}

/** Removes a worktree that was never made ready: git wrote its files, and no agent worked there. */
export async function discardHalfMade(git: Git, root: string): Promise<void> {
  await rm(root, { recursive: true, force: true });
  if ((await entryOf(git, root)) !== null) await git.text('worktree', 'remove', '--force', '--force', root);
}

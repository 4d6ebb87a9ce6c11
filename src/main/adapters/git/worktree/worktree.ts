import { mkdir, readdir, realpath, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from '@contract/result';
import { BRANCH_GROUPS, branchesOf } from '../../../core/ports/workspaces/workspace-names';
import { EARLIER_GIT_CHECK_MS, WORKTREE_GIT_MS } from '../../../limits/core';
import { isFolder } from '../checkout';
import { failure } from '../command/failure';
import type { Git } from '../command/git-command';
import { type CheckoutMoves, MOVE_MARK } from '../moves';
import type { Repository } from '../repository';
import { CLEARED, lastName, snapshotCommit } from '../snapshot/snapshot';
import { discardInterrupted, entryOf, isCutOff, markOf, wasCutOff } from './interrupted-worktrees';
import { type Marker, readMarker, writeMarker } from './marker';

export interface WorktreeWish {
  readonly uid: string;
  /** Its name within the run; null: the run's own. */
  readonly key: string | null;
  /** The name of the folder, and the last part of its branch. */
  readonly folder: string;
  readonly worktreesDir: string;
  /** The start of a new branch. */
  readonly start: string;
  /** The start of diffs; null: where the branch left the project's. */
  readonly base: string | null;
  /** The initial state of its files; null: that of its branch. */
  readonly fill: string | null;
  readonly moves: Pick<CheckoutMoves, 'isAtWork'>;
}

export interface Worktree {
  readonly root: string;
  /** At its root. */
  readonly git: Git;
  readonly gitDir: string;
  readonly marker: Marker;
}

/** Creates a worktree on its own branch, or finds the one created before a crash. */
export async function ensureWorktree(repository: Repository, wish: WorktreeWish): Promise<Result<Worktree>> {
  const { folder, uid, key } = wish;
  let added: Added | null = null;
  try {
    const branch = await branchFor(repository, folder);
    await mkdir(wish.worktreesDir, { recursive: true });
    const root = join(await realpath(wish.worktreesDir), folder);
    if (!(await hasEnded(wish))) throw new Error('a git of an earlier start still works on it');
    const found = await findWhole(repository, { root, branch, uid });
    if (found === null) {
      added = await whereToAdd(repository, { root, branch }, wish);
      await add(repository, added, markFor(folder));
    }
    const gitDir = found?.gitDir ?? (await repository.git.at(root).text('rev-parse', '--absolute-git-dir'));
    const git = repository.git.at(root);
    let marker = found?.marker ?? null;
    if (marker === null) {
      const base = wish.base ?? (await baseOf(repository, branch));
      // A run's own worktree without a mark may be from a Muster that wrote none: agents worked in it.
      const fill = found === null || key !== null ? await firstState(repository, branch, wish) : null;
      marker = await writeMarker(gitDir, { version: 1, uid, key, branch, base, fill, done: 'made' });
    }
    return ok({ root, git, gitDir, marker });
  } catch (error) {
    // The run requests it again under another name, so this one would stay unused.
    if (added !== null) await takeBack(repository, added).catch(() => undefined);
    return err(failure(`The worktree ${folder} could not be created`, error, wish.worktreesDir));
  }
}

/** The branch of a folder: the one that exists, else one that git can create. */
async function branchFor({ git }: Repository, folder: string): Promise<string> {
  const has = async (branch: string): Promise<boolean> =>
    (await git.maybe('rev-parse', '--verify', '--quiet', `refs/heads/${branch}`)) !== null;
  const [first, second] = branchesOf(folder);
  const [group, other] = BRANCH_GROUPS;
  const [isTaken, isSecond] = await Promise.all([has(group), has(second ?? '')]);
  if (!isTaken && !isSecond) return first ?? '';
  if (isSecond || !(await has(other))) return second ?? '';
  throw new Error(
    `the repository has branches named ${group} and ${other}, and git creates none below them: rename one, for example with git branch -m ${group} NEW_NAME`,
  );
}

/** The last snapshot of an earlier worktree, unless something was committed after it. */
async function firstState({ git }: Repository, branch: string, wish: WorktreeWish): Promise<string | null> {
  const tip = await git.text('rev-parse', '--verify', `refs/heads/${branch}^{commit}`);
  const last = await snapshotCommit(git, lastName(wish.uid, wish.folder));
  if (last === null) return tip === wish.start ? wish.fill : null;
  const parent = await git.maybe('rev-parse', '--verify', '--quiet', `${last}^`);
  return parent === tip ? last : null;
}

async function findWhole(
  { git }: Repository,
  { root, branch, uid }: { readonly root: string; readonly branch: string; readonly uid: string },
): Promise<{ gitDir: string; marker: Marker | null } | null> {
  const entry = await entryOf(git, root);
  if (entry === null || isCutOff(entry) || !(await isFolder(root))) return null;
  const found = await git.at(root).maybe('rev-parse', '--show-toplevel', '--absolute-git-dir');
  const [top = '', gitDir = ''] = found?.split('\n') ?? [];
  if (top === '' || (await realpath(top)) !== root) return null;
  const marker = await readMarker(gitDir);
  // An agent may have switched to its own branch there.
  const ours =
    marker === null ? entry.split('\n').includes(`branch refs/heads/${branch}`) : marker.uid === uid;
  return ours ? { gitDir, marker } : null;
}

/** Moves aside whatever is in the way; it may contain an agent's work, so it is never deleted. */
async function putAside(root: string): Promise<void> {
  let content: string[];
  try {
    content = await readdir(root);
  } catch {
    return;
  }
  if (content.length === 0) return;
  for (let number = 1; ; number += 1) {
    const aside = `${root}.aside-${number}`;
    const taken = await realpath(aside).then(
      () => true,
      () => false,
    );
    if (!taken) return rename(root, aside);
  }
}

interface Added {
  readonly root: string;
  readonly branch: string;
  /** The start of a new branch; null: the branch exists. */
  readonly start: string | null;
}

async function whereToAdd(
  { git }: Repository,
  { root, branch }: Pick<Added, 'root' | 'branch'>,
  wish: WorktreeWish,
): Promise<Added> {
  const exists = (await git.maybe('rev-parse', '--verify', `refs/heads/${branch}`)) !== null;
  if (exists) return { root, branch, start: null };
  // A branch that was cleared continues from its last commit.
  const cleared = await git.maybe('rev-parse', '--verify', '--quiet', `${CLEARED}${wish.folder}^{commit}`);
  const last = await snapshotCommit(git, lastName(wish.uid, wish.folder));
  // A branch that was deleted with its folder continues from the commit of its last snapshot.
  const start = last === null ? null : await git.maybe('rev-parse', '--verify', '--quiet', `${last}^`);
  return { root, branch, start: cleared ?? start ?? wish.start };
}

/** The mark of a git that creates a worktree, which continues when the core is killed. */
const markFor = (folder: string): string => `worktree-${folder}`;

/** Waits for a git that an earlier core started for this folder; false if it does not end. */
async function hasEnded({ folder, moves }: WorktreeWish): Promise<boolean> {
  for (const until = Date.now() + WORKTREE_GIT_MS; await moves.isAtWork(markFor(folder)); ) {
    if (Date.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, EARLIER_GIT_CHECK_MS));
  }
  return true;
}

async function add({ git: plain }: Repository, { root, branch, start }: Added, mark: string): Promise<void> {
  const git = plain.with({ [MOVE_MARK]: mark });
  if (await wasCutOff(git, root)) await discardInterrupted(git, root);
  else await putAside(root);
  // Twice: also overrides an entry that is locked because its creation was interrupted.
  const force = ['--force', '--force'];
  if (start === null) await git.text('worktree', 'add', ...force, root, branch);
  else await git.text('worktree', 'add', ...force, '-b', branch, root, start);
}

async function takeBack({ git }: Repository, { root, branch, start }: Added): Promise<void> {
  if ((await markOf(root)) !== null) return;
  await discardInterrupted(git, root);
  if (start !== null) await git.maybe('update-ref', '-d', `refs/heads/${branch}`, start);
}

/** Where the branch left the project's; stable across crashes, whatever was committed on either since. */
async function baseOf({ git, head }: Repository, branch: string): Promise<string> {
  const base = await git.maybe('merge-base', head, `refs/heads/${branch}`);
  return base ?? git.text('rev-parse', '--verify', `refs/heads/${branch}^{commit}`);
}

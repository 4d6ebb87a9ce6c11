import { basename, join, relative } from 'node:path';
import { endSnapshot } from '@areas/changes/contract/changes';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { ReleasedFolder } from '../../../core/ports/workspaces/workspace-edits';
import type { MadeWorkspace, WorkspaceRun } from '../../../core/ports/workspaces/workspaces';
import { type Checkout, findCheckout, isFolder } from '../checkout';
import { Git, gitMessage } from '../command/git-command';
import { tryMerge } from '../merge/merge-trees';
import { type Present, presentState } from '../snapshot/present-state';
import { commitState, keep, keepAs, lastName, setRefs, snapshotCommit } from '../snapshot/snapshot';
import { smallFile } from '../worktree-link';
import { folderState } from './folder-state';
import { registeredGitDir } from './interrupted-worktrees';
import { type Marker, readMarker, writeMarker } from './marker';
import { namingFiles } from './unread-files';
import type { ContentParts } from './worktree-content';

export const HEADS = 'refs/heads/';

/** Determines a run's result in one folder and frees its branch: see `WorkspaceEdits.release`. */
export async function releaseFolder(
  parts: ContentParts,
  run: WorkspaceRun,
  made: MadeWorkspace,
): Promise<Omit<ReleasedFolder, 'includedIn'> | null> {
  if (made.branch === null) return null;
  const project = new Git(run.projectPath, parts.git);
  const named = { made: made.branch, path: made.path, base: made.baseCommit };
  const root = join(parts.worktreesDir, basename(made.branch));
  const found = await findCheckout({ path: root, run }, parts);
  const checkout = found.ok ? found.value : null;
  const marker = checkout === null ? null : await readMarker(checkout.gitDir);
  if (checkout === null || marker === null || marker.uid !== run.uid) {
    const last = await lastKnown(project, run, { root, branch: made.branch });
    // It was removed on purpose, with its branch.
    if (last === null) return null;
    const files = await countFiles(project, made.baseCommit, last.commit);
    // The worktree is in another data folder, where its uncommitted work is too.
    if (files === 0 && !isInside(made.path, root)) return null;
    const error = found.ok ? notMarked(root) : found.error;
    const unread = await namingFiles(parts, project, { root, commit: last.commit, error });
    return { ...named, ...last, files, uncommitted: 0, note: null, unread, unsettled: null };
  }
  const left = await free(checkout, run, marker);
  const files = await countFiles(project, made.baseCommit, left.commit);
  return { ...named, ...left, files, unread: null };
}

const notMarked = (root: string): AppError =>
  appError('workspace.unreadable', `The workspace cannot be read: it has lost its mark (${root}).`, {
    where: { file: root },
    mend: 'Look in the folder itself, and copy what you want from there.',
  });

/**
 * The last state of a worktree that cannot be read: the branch that was checked out in it, and the snapshot that
 * was taken on top of that. Null if its branch is gone too.
 */
async function lastKnown(
  project: Git,
  run: WorkspaceRun,
  { root, branch }: { readonly root: string; readonly branch: string },
): Promise<(Pick<ReleasedFolder, 'branch'> & { readonly commit: string }) | null> {
  const own = await tipOf(project, branch);
  if (own === null) return null;
  const gitDir = await registeredGitDir(project, root);
  const head = gitDir === null ? null : await smallFile(join(gitDir, 'HEAD'));
  const [, named = null] = /^ref: refs\/heads\/(.+)\s*$/.exec(head ?? '') ?? [];
  const tip = (named === null ? null : await tipOf(project, named)) ?? own;
  const at = named !== null && tip !== own ? named : branch;
  const last = await snapshotCommit(project, lastName(run.uid, basename(branch)));
  const parent = last === null ? null : await project.maybe('rev-parse', '--verify', '--quiet', `${last}^`);
  return last !== null && parent === tip ? { branch: null, commit: last } : { branch: at, commit: tip };
}

const isInside = (path: string, folder: string): boolean => !relative(folder, path).startsWith('..');

type Left = Pick<ReleasedFolder, 'branch' | 'uncommitted' | 'note' | 'unsettled'> & {
  readonly commit: string;
};

async function free(checkout: Checkout, run: WorkspaceRun, marker: Marker): Promise<Left> {
  const { git, gitDir } = checkout;
  const present = await presentState(checkout);
  const now = await headNow(git);
  const { unsettled, notes } = await folderState(checkout, present);
  if (unsettled !== null) {
    // Taken out of the folder, the files would look finished: git's own state stays too.
    const { commit, head } = await keep(checkout, endSnapshot(run.uid, marker.branch), present);
    const note = notes.length === 0 ? null : notes.join(' ');
    return { branch: null, commit, uncommitted: await countFiles(git, head, commit), note, unsettled };
  }
  const earlier = earlierRelease(marker, now);
  const { commit, base } = await endOf(checkout, { run, marker, present, earlier });
  const tip = (await tipOf(git, marker.branch)) ?? base;
  const uncommitted = await countFiles(git, base, commit);
  const large = present.leftOut.map(({ path, why }) => `${path} (${why})`);
  const lacks = large.length === 0 ? [] : [`Not in the commit: ${large.slice(0, 5).join(', ')}.`];
  const all = [...lacks, ...notes];
  const note = all.length === 0 ? null : all.join(' ');
  if (marker.released !== undefined && earlier === null) {
    // The operator has gone on in the folder since the end: it stays as it is.
    const branch = uncommitted === 0 && now.branch !== null ? now.branch : null;
    return { branch, commit, uncommitted, note, unsettled: null };
  }
  const ownBranch = marker.branch;
  // The commit of an earlier release may be replaced; one that someone else made may not.
  const start = earlier !== null && tip === earlier.commit ? earlier.tip : tip;
  const fits = await isAncestor(git, start, commit);
  const checkedOut = earlier === null ? now.branch : earlier.branch;
  const others = uncommitted === 0 && checkedOut !== null && checkedOut !== ownBranch ? checkedOut : null;
  const branch = others ?? (fits ? ownBranch : null);
  const moves = branch === ownBranch && commit !== tip;
  const head = uncommitted > 0 && branch === ownBranch ? commit : base;
  if (now.branch !== null || moves || head !== now.head) {
    const released = { ...(earlier ?? { branch: now.branch, head: base, tip }), commit: head };
    // The mark comes first: after a crash in between, continuing restores what it says, and releasing does the
    // rest.
    await writeMarker(gitDir, { ...marker, released });
    // HEAD itself, not the branch that it names.
    await git.text('update-ref', '--no-deref', 'HEAD', head);
    if (moves) await setRefs(git, new Map([[HEADS + ownBranch, commit]]));
    if (head !== now.head) await git.text('read-tree', head);
  }
  return { branch, commit, uncommitted, note, unsettled: null };
}

interface HeadNow {
  /** Null: none is checked out. */
  readonly branch: string | null;
  /** Null before the first commit. */
  readonly head: string | null;
}

async function headNow(git: Git): Promise<HeadNow> {
  const name = await git.maybe('symbolic-ref', '--quiet', 'HEAD');
  const head = await git.maybe('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  return { branch: name?.startsWith(HEADS) ? name.slice(HEADS.length) : null, head };
}

type Released = NonNullable<Marker['released']>;

/**
 * The state before an earlier release whose result is still checked out, or which a crash interrupted. Null: the
 * folder was not freed, or the operator has gone on in it.
 */
function earlierRelease({ released }: Marker, now: HeadNow): Released | null {
  if (released === undefined) return null;
  if (now.branch === null && now.head === released.commit) return released;
  const interrupted = now.branch === released.branch && now.head === released.head;
  return interrupted ? released : null;
}

interface Ending {
  readonly run: WorkspaceRun;
  readonly marker: Marker;
  readonly present: Present;
  readonly earlier: Released | null;
}

/**
 * The commit with all of the work, and the last one that the agents made. An earlier release's commit is replaced,
 * not followed, so that what the operator took back since is in no commit of the branch.
 */
async function endOf(
  checkout: Checkout,
  { run, marker, present, earlier }: Ending,
): Promise<{ commit: string; base: string }> {
  const { git } = checkout;
  const name = endSnapshot(run.uid, marker.branch);
  if (earlier === null) {
    const snapshot = await keep(checkout, name, present);
    return { commit: snapshot.commit, base: snapshot.head ?? snapshot.commit };
  }
  const [then = '', base = ''] = (
    await git.text('rev-parse', `${earlier.commit}^{tree}`, `${earlier.head}^{tree}`)
  ).split('\n');
  if (present.tree === then) return { commit: earlier.commit, base: earlier.head };
  const same = present.tree === base && present.leftOut.length === 0;
  const commit = same ? earlier.head : await commitState(checkout, { name, present, head: earlier.head });
  await keepAs(checkout, name, commit);
  return { commit, base: earlier.head };
}

/** A result with one more sentence. */
export const noting = <T extends Pick<ReleasedFolder, 'note'>>(result: T, sentence: string): T => ({
  ...result,
  note: result.note === null ? sentence : `${result.note} ${sentence}`,
});

/** Which of these folders contain all work of another one, by their branches. */
export async function inclusions(
  git: Git,
  folders: readonly Omit<ReleasedFolder, 'includedIn'>[],
): Promise<ReleasedFolder[]> {
  const includes = async (whole: string | null, part: string | null): Promise<boolean> => {
    if (whole === null || part === null) return false;
    try {
      const { tree, conflicts } = await tryMerge(git, whole, part);
      return conflicts.length === 0 && tree === (await git.text('rev-parse', `${whole}^{tree}`));
    } catch {
      // A git without merge-tree support: each result is treated separately.
      return false;
    }
  };
  const all: ReleasedFolder[] = [];
  for (const [index, part] of folders.entries()) {
    const includedIn: string[] = [];
    // Only a later folder can have started from an earlier one.
    for (const whole of folders.slice(index + 1))
      if (part.files > 0 && (await includes(whole.commit, part.commit))) includedIn.push(whole.made);
    all.push({ ...part, includedIn });
  }
  return all;
}

/** Checks out again what `releaseFolder` freed. */
export async function reattachFolder(
  parts: ContentParts,
  run: WorkspaceRun,
  made: string,
): Promise<Result<void>> {
  const root = join(parts.worktreesDir, basename(made));
  if (!(await isFolder(root))) return ok(undefined);
  const found = await findCheckout({ path: root, run }, parts);
  if (!found.ok || found.value === null) return ok(undefined);
  const { git, gitDir } = found.value;
  const marker = await readMarker(gitDir);
  if (marker === null || marker.uid !== run.uid || marker.released === undefined) return ok(undefined);
  const { released, ...before } = marker;
  const { branch, head, commit, tip } = released;
  const now = await git.maybe('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  const detached = (await git.maybe('symbolic-ref', '--quiet', 'HEAD')) === null;
  if (detached && branch !== null) {
    const holder = await holderOf(git, branch);
    if (holder !== null) return err(taken(branch, holder));
    const ownNow = await tipOf(git, marker.branch);
    const untouched = now === commit && (commit === head ? true : ownNow === commit);
    const back = commit === head || branch !== marker.branch ? await tipOf(git, branch) : head;
    if (untouched && back === head) {
      if (commit !== head) await setRefs(git, new Map([[HEADS + marker.branch, tip]]));
      await git.text('symbolic-ref', 'HEAD', HEADS + branch);
      if (commit !== head) await git.text('read-tree', head);
    } else {
      const moved = await followMoved(git, { root, branch, now });
      if (!moved.ok) return moved;
    }
  }
  await writeMarker(gitDir, before);
  return ok(undefined);
}

/** The branch got commits, in the folder or elsewhere, since it was freed. */
async function followMoved(
  git: Git,
  { root, branch, now }: { readonly root: string; readonly branch: string; readonly now: string | null },
): Promise<Result<void>> {
  const tip = await tipOf(git, branch);
  try {
    if (tip === null || (now !== null && (await isAncestor(git, tip, now)))) {
      if (now !== null) await setRefs(git, new Map([[HEADS + branch, now]]));
      await git.text('symbolic-ref', 'HEAD', HEADS + branch);
    } else await git.text('checkout', '--quiet', branch, '--');
    return ok(undefined);
  } catch (error) {
    return fail(
      'conflict',
      `The branch ${branch} has moved on and cannot be checked out in ${root}: ${gitMessage(error)}`,
      { where: { file: root }, mend: 'Commit or stash the changes in that folder, then resume the run.' },
    );
  }
}

const taken = (branch: string, holder: string): AppError =>
  appError('conflict', `The branch ${branch} of this run is checked out in ${holder}.`, {
    where: { file: holder },
    mend: `Check out another branch there (git -C '${holder}' checkout --detach), then resume the run.`,
  });

/** The work tree in which a branch is checked out. */
export async function holderOf(git: Git, branch: string): Promise<string | null> {
  const list = await git.text('worktree', 'list', '--porcelain');
  const entry = list.split('\n\n').find((one) => one.split('\n').includes(`branch ${HEADS}${branch}`));
  return entry === undefined ? null : (entry.split('\n')[0]?.replace(/^worktree /, '') ?? null);
}

export const tipOf = (git: Git, branch: string): Promise<string | null> =>
  git.maybe('rev-parse', '--verify', '--quiet', `${HEADS}${branch}^{commit}`);

const isAncestor = async (git: Git, earlier: string, later: string): Promise<boolean> =>
  (await git.maybe('merge-base', '--is-ancestor', earlier, later)) !== null;

const countFiles = async (git: Git, from: string | null, to: string): Promise<number> =>
  from === null || from === to
    ? 0
    : (await git.records(['diff-tree', '-r', '-z', '--name-only', from, to])).length;

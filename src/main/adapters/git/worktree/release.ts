import { basename, join, relative } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import { endSnapshot } from '@contract/workspace/changes';
import type { ReleasedFolder } from '../../../core/ports/workspaces/workspace-edits';
import type { MadeWorkspace, WorkspaceRun } from '../../../core/ports/workspaces/workspaces';
import { type Checkout, findCheckout, isFolder } from '../checkout';
import { Git, gitMessage } from '../command/git-command';
import { tryMerge } from '../merge/merge-trees';
import { setRefs, takeSnapshot } from '../snapshot/snapshot';
import { type Marker, readMarker, writeMarker } from './marker';
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
  const found = (await isFolder(root)) ? await findCheckout({ path: root, run }, parts) : null;
  const checkout = found?.ok === true ? found.value : null;
  const marker = checkout === null ? null : await readMarker(checkout.gitDir);
  if (checkout === null || marker === null || marker.uid !== run.uid) {
    const tip = await tipOf(project, made.branch);
    if (tip === null) return null;
    const files = await countFiles(project, made.baseCommit, tip);
    // The worktree is in another data folder, where its uncommitted work is too.
    if (files === 0 && !isInside(made.path, root)) return null;
    return { ...named, branch: made.branch, commit: tip, files, uncommitted: 0, note: null };
  }
  const left = await free(checkout, run, marker);
  return { ...named, ...left, files: await countFiles(project, made.baseCommit, left.commit) };
}

const isInside = (path: string, folder: string): boolean => !relative(folder, path).startsWith('..');

type Left = Pick<ReleasedFolder, 'branch' | 'uncommitted' | 'note'> & { readonly commit: string };

async function free(checkout: Checkout, run: WorkspaceRun, marker: Marker): Promise<Left> {
  const { git, gitDir } = checkout;
  const snapshot = await takeSnapshot(checkout, endSnapshot(run.uid, marker.branch));
  const head = snapshot.head ?? snapshot.commit;
  const at = await git.maybe('symbolic-ref', '--quiet', 'HEAD');
  const tip = (await tipOf(git, marker.branch)) ?? head;
  // A crash may have happened between its steps; what the first try recorded counts.
  const before = at === null && marker.released?.commit === snapshot.commit ? marker.released : null;
  const uncommitted = await countFiles(git, before?.head ?? head, snapshot.commit);
  const large = snapshot.leftOut.map(({ path, why }) => `${path} (${why})`);
  const note = large.length === 0 ? null : `Not in the commit: ${large.slice(0, 5).join(', ')}.`;
  const ownBranch = HEADS + marker.branch;
  const fits = await isAncestor(git, tip, snapshot.commit);
  const others = uncommitted === 0 && at !== null && at !== ownBranch ? at.slice(HEADS.length) : null;
  const branch = others ?? (fits || snapshot.commit === tip ? marker.branch : null);
  const named: Left = { branch, commit: snapshot.commit, uncommitted, note };
  if (at === null && snapshot.commit === tip) return named;
  const moves = branch === marker.branch && snapshot.commit !== tip;
  const commit = uncommitted > 0 && branch === marker.branch ? snapshot.commit : head;
  const released = before ?? { branch: at?.slice(HEADS.length) ?? null, head, commit, tip };
  // The mark comes first: after a crash in between, continuing restores what it says, and releasing does the
  // rest.
  await writeMarker(gitDir, { ...marker, released });
  // HEAD itself, not the branch that it names.
  await git.text('update-ref', '--no-deref', 'HEAD', commit);
  if (moves) await setRefs(git, new Map([[ownBranch, snapshot.commit]]));
  if (commit !== head) await git.text('read-tree', commit);
  return named;
}

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

import { copyFile, lstat, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import {
  type FolderEdit,
  type HunkToRevert,
  WHOLE_FILE,
} from '../../../core/ports/workspaces/workspace-edits';
import type { Checkout } from '../checkout';
import { failure } from '../command/failure';
import { bytesOf, type Git, GitError, gitMessage } from '../command/git-command';
import { InterruptedError } from '../moves';
import { presentState } from '../snapshot/present-state';
import {
  isSnapshotName,
  keep,
  keepLast,
  type Snapshot,
  snapshotCommit,
  takeSnapshot,
  undoName,
} from '../snapshot/snapshot';
import { readHunks } from './diff';
import type { DiffRange } from './diff-sides';
import { changedFiles, DIFF, type RawChange } from './file-list';
import { patchOf } from './patch';

/**
 * Undoes one hunk in the folder. First removes it from the tree of the current state; only if that works are
 * files touched: git moves the folder from one tree to the other after checking that nothing is in the way.
 * There are never partial changes or conflict markers.
 */
export async function revertHunk(
  checkout: Checkout,
  found: DiffRange,
  what: HunkToRevert,
): Promise<Result<FolderEdit>> {
  const all = await changedFiles(found.git, found.between);
  const file = all.find(({ change }) => change.path === what.path);
  if (file === undefined) return err(noHunk(what));
  const files = await readHunks(found, all, { one: file });
  const hunk = files[0]?.patch.hunks.find(({ id }) => id === what.hunk);
  if (what.hunk !== WHOLE_FILE && hunk === undefined) return err(noHunk(what));
  const present = await takeSnapshot(checkout, undoName(what.uid));
  const edit = async (git: Git): Promise<void> => {
    if (hunk === undefined) return putFileBack(git, file);
    const patch = patchOf({ ...file, status: file.change.status }, hunk);
    await git.bytes(['apply', '-R', '--cached', '--whitespace=nowarn', '-'], { input: patch });
  };
  try {
    const target = await editedTree(checkout, edit);
    await moveTo(checkout, { what: `Revert changes of ${what.path}`, from: present.tree, to: target });
    await keep(checkout, afterName(present.name), { tree: target, leftOut: [] });
    return ok({ undo: present.name, before: present.tree, after: target, hunk: 'taken' });
  } catch (error) {
    return err(inTheWay(`The hunk no longer applies to ${what.path}`, error, present.name));
  }
}

/**
 * Reapplies what a revert removed; later changes of the folder stay. If the surrounding lines have changed,
 * nothing happens.
 */
export async function undoRevert(
  checkout: Checkout,
  what: { readonly uid: string; readonly undo: string },
): Promise<Result<FolderEdit>> {
  const { git } = checkout;
  const isOwnSnapshot = isSnapshotName(what.undo) && what.undo.startsWith(`${what.uid}/`);
  const then = isOwnSnapshot ? await snapshotCommit(git, what.undo) : null;
  const reverted = isOwnSnapshot ? await snapshotCommit(git, afterName(what.undo)) : null;
  if (then === null || reverted === null)
    return fail('not_found', `This run has no reverted hunk ${what.undo}.`);
  const present = await takeSnapshot(checkout, undoName(what.uid));
  try {
    const patch = await git.bytes([...DIFF, '-p', '--binary', '--full-index', ...PLAIN, reverted, then]);
    const target = await editedTree(checkout, async (copy) => {
      if (patch.length > 0)
        await copy.bytes(['apply', '--cached', '--whitespace=nowarn', '-'], { input: patch });
    });
    await moveTo(checkout, { what: 'Restore reverted changes', from: present.tree, to: target });
    await keepLast(checkout, present.name, target);
    return ok({ undo: present.name, before: present.tree, after: target, hunk: 'put_back' });
  } catch (error) {
    return err(inTheWay('The reverted changes no longer apply', error, present.name));
  }
}

/** The names of a revert's two states, before and after. */
const afterName = (undo: string): string => `${undo}-after`;

/** A diff that `git apply` can read, regardless of the operator's configuration. */
const PLAIN = ['--no-renames', '-U3', '--src-prefix=a/', '--dst-prefix=b/'];

const noHunk = ({ path, hunk }: HunkToRevert) =>
  appError('not_found', `There is no hunk ${hunk} of ${path} in this diff.`, {
    mend: 'Read the diff again: the file has changed since.',
  });

async function putFileBack(git: Git, file: RawChange): Promise<void> {
  const old = file.oldPath ?? file.path;
  const lines = [
    `0 ${'0'.repeat(file.oldBlob.length)}\t${file.path}\0`,
    ...(file.change.status === 'added' ? [] : [`${file.oldMode} ${file.oldBlob}\t${old}\0`]),
  ];
  await git.bytes(['update-index', '--replace', '-z', '--index-info'], { input: bytesOf(lines.join('')) });
}

/** The tree after a change to a copy of Muster's index, which holds the current state. */
async function editedTree(checkout: Checkout, edit: (git: Git) => Promise<void>): Promise<string> {
  const copy = `${checkout.indexFile}.edit`;
  const git = checkout.own.with({ GIT_INDEX_FILE: copy });
  try {
    await rm(`${copy}.lock`, { force: true });
    await copyFile(checkout.indexFile, copy).catch(() => {});
    await edit(git);
    return await git.text('write-tree');
  } finally {
    await rm(copy, { force: true });
  }
}

/** Changes the files that differ between two trees. Git checks all of them before touching the first. */
async function moveTo(
  { own, indexFile, moves }: Checkout,
  { what, from, to }: { readonly what: string; readonly from: string; readonly to: string },
): Promise<void> {
  if (from === to) return;
  const tip = (tree: string) => ({ branch: null, commit: null, tree });
  const move = { what, kind: 'files', index: indexFile, from: tip(from), to: tip(to) } as const;
  await moves.run(own, move, ['read-tree', '-m', '-u', from, to]);
}

/**
 * Restores the folder to a snapshot. Files that are ignored now but were not then are restored too, and the
 * undo snapshot contains them; all other ignored files stay.
 */
export async function restoreSnapshot(
  checkout: Checkout,
  what: { readonly uid: string; readonly snapshot: string },
): Promise<Result<FolderEdit>> {
  const { git } = checkout;
  const own = isSnapshotName(what.snapshot) && what.snapshot.startsWith(`${what.uid}/`);
  const commit = own ? await snapshotCommit(git, what.snapshot) : null;
  if (commit === null) return fail('not_found', `There is no snapshot ${what.snapshot} of this run.`);
  let undo: Snapshot | null = null;
  try {
    const before = await presentState(checkout);
    const target = await targetTree(checkout, commit);
    const covered = await coveredFiles(checkout, before.tree, target);
    const present = covered.length === 0 ? before : await presentState(checkout, covered);
    undo = await keep(checkout, undoName(what.uid), present);
    const from = await withoutIgnored(checkout, present.tree, target);
    await moveTo(checkout, { what: 'Restore the folder to an earlier state', from, to: target });
    await keepLast(checkout, undo.name, target);
    return ok({ undo: undo.name, before: from, after: target, hunk: null });
  } catch (error) {
    return err(
      inTheWay(`${checkout.top} could not be restored to ${what.snapshot}`, error, undo?.name ?? null),
    );
  }
}

/** In a subfolder of a repository, the rest stays unchanged. */
async function targetTree(checkout: Checkout, commit: string): Promise<string> {
  const { git, scope } = checkout;
  if (scope === '') return git.text('rev-parse', `${commit}^{tree}`);
  const then = await git.maybe('rev-parse', '--verify', '--quiet', `${commit}:${scope}`);
  return editedTree(checkout, async (copy) => {
    await copy.bytes(['rm', '-r', '--quiet', '--cached', '--ignore-unmatch', '--', scope]);
    if (then !== null) await copy.bytes(['read-tree', `--prefix=${scope}/`, then]);
  });
}

/** Files in both the snapshot and the folder that the current state omits. */
async function coveredFiles(checkout: Checkout, present: string, target: string): Promise<string[]> {
  const between = { from: present, to: target, scope: checkout.scope };
  const added = (await changedFiles(checkout.git, between, false)).filter(
    ({ change }) => change.status === 'added',
  );
  const top = Buffer.from(`${checkout.top}/`).toString('latin1');
  const there = await Promise.all(
    added.map(({ path }) =>
      lstat(bytesOf(top + path)).then(
        (facts) => facts.isFile() || facts.isSymbolicLink(),
        () => false,
      ),
    ),
  );
  return added.filter((_, index) => there[index]).map(({ path }) => path);
}

/**
 * The current tree without files that become ignored by the target's rules: they did not belong to the
 * target, so they stay. Empty difference if no rules change.
 */
async function withoutIgnored(checkout: Checkout, present: string, target: string): Promise<string> {
  const between = { from: present, to: target, scope: checkout.scope };
  const changed = await changedFiles(checkout.git, between, false);
  if (!changed.some(({ path }) => /(^|\/)\.gitignore$/.test(path))) return present;
  const removed = changed.filter(({ change }) => change.status === 'deleted').map(({ path }) => path);
  const ignored = await ignoredBy(checkout, target, removed);
  if (ignored.length === 0) return present;
  const input = bytesOf(ignored.map((path) => `${path}\0`).join(''));
  await checkout.own.bytes(['update-index', '-z', '--force-remove', '--stdin'], { input });
  return checkout.own.text('write-tree');
}

/** Runs git in an empty folder that contains only a tree's ignore rules. */
async function ignoredBy(
  checkout: Checkout,
  tree: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-rules-'));
  try {
    const git = checkout.git.with({
      GIT_INDEX_FILE: join(folder, 'index'),
      GIT_DIR: checkout.gitDir,
      GIT_WORK_TREE: join(folder, 'tree'),
      GIT_LITERAL_PATHSPECS: '0',
    });
    await mkdir(join(folder, 'tree'));
    await git.text('read-tree', tree);
    const rules = (await git.records(['ls-files', '-z'])).filter((path) => /(^|\/)\.gitignore$/.test(path));
    const listed = (all: readonly string[]) => ({ input: bytesOf(all.map((path) => `${path}\0`).join('')) });
    const at = git.at(join(folder, 'tree'));
    await at.bytes(['checkout-index', '-z', '--force', '--stdin'], listed(rules));
    // After `./` no name is taken for pathspec magic, which this command rejects.
    const found = await at.records(
      ['check-ignore', '-z', '--no-index', '--stdin'],
      listed(paths.map((path) => `./${path}`)),
    );
    return found.map((path) => path.slice(2));
  } catch (error) {
    // This exit code means that none is ignored.
    if (error instanceof GitError && error.code === 1) return [];
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function inTheWay(what: string, error: unknown, undo: string | null): AppError {
  const notice =
    undo === null ? 'Nothing was changed.' : `The previous state is kept as the snapshot ${undo}.`;
  if (error instanceof InterruptedError) return error.toAppError(what);
  const failed = failure(what, error, '');
  if (!(error instanceof GitError) || failed.code === 'store.disk_full') return { ...failed, mend: notice };
  return appError('conflict', `${what}: ${gitMessage(error)}`, { mend: `Read the diff again. ${notice}` });
}

import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { REF_LOCK_MS } from '../../../limits/core';
import type { Checkout } from '../checkout';
import { bytesOf, type Git, GitError } from '../command/git-command';
import { type LeftOut, type Present, presentState } from './present-state';

/** The prefix of all Muster's refs. */
export const REFS = 'refs/muster/';

/**
 * Work of removed worktrees that is on no branch: belongs to no run, and is kept until the operator deletes
 * it.
 */
export const KEPT = `${REFS}kept/`;

/** The tips of branches whose worktrees `muster clean` removed. */
export const CLEARED = `${REFS}cleared/`;

const LOCKED = /\.lock': File exists/;

export interface Snapshot {
  readonly name: string;
  readonly commit: string;
  /** HEAD's commit; null before the first commit. */
  readonly head: string | null;
  readonly tree: string;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Letters, digits and `-` between slashes, as made by `turnSnapshot`. Anything else could name a foreign ref.
 */
export const isSnapshotName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9-]*(\/[A-Za-z0-9][A-Za-z0-9-]*)+$/.test(name);

/** The newest state of a worktree, for recreating it. */
export const lastName = (uid: string, folder: string): string => `${uid}/last-${folder}`;

/** A name for the state before the operator undoes something. */
export const undoName = (uid: string): string =>
  `${uid}/undo-${Date.now().toString(36)}-${randomBytes(3).toString('hex')}`;

/**
 * Saves the current state under a name: as a commit on top of HEAD that is on no branch, or as HEAD itself if
 * nothing differs. Replaces an earlier snapshot of that name.
 */
export async function takeSnapshot(checkout: Checkout, name: string): Promise<Snapshot> {
  const present = await presentState(checkout);
  return keep(checkout, name, present);
}

export async function keep(checkout: Checkout, name: string, present: Present): Promise<Snapshot> {
  const made = await stateCommit(checkout, name, present);
  await keepAs(checkout, name, made.commit);
  return { name, ...made, ...present };
}

/** Gives a commit a name of Muster's, and makes it the newest state of its worktree. */
export async function keepAs(checkout: Checkout, name: string, commit: string): Promise<void> {
  const last = lastRef(checkout, name);
  await setRefs(checkout.git, new Map([`${REFS}${name}`, ...last].map((ref) => [ref, commit])));
}

/** After a change of a folder: records its newest state. `name`: the snapshot of the previous state. */
export async function keepLast(checkout: Checkout, name: string, tree: string): Promise<void> {
  const last = lastRef(checkout, name);
  if (last.length === 0) return;
  const { commit } = await stateCommit(checkout, `after ${name}`, { tree, leftOut: [] });
  await setRefs(checkout.git, new Map(last.map((ref) => [ref, commit])));
}

const lastRef = ({ folder }: Checkout, name: string): string[] =>
  folder === null ? [] : [`${REFS}${lastName(name.slice(0, name.indexOf('/')), folder)}`];

async function stateCommit(
  checkout: Checkout,
  name: string,
  present: Present,
): Promise<Pick<Snapshot, 'commit' | 'head'>> {
  const { git } = checkout;
  // Fails before the first commit; any other cause would fail everywhere.
  const [head = null, headTree = null] =
    (await git.maybe('rev-parse', 'HEAD^{commit}', 'HEAD^{tree}'))?.split('\n') ?? [];
  const same = present.tree === headTree && present.leftOut.length === 0;
  const commit = same && head !== null ? head : await commitState(checkout, { name, present, head });
  return { commit, head };
}

const subjectOf = (name: string): string => `Muster: ${name}`;

export async function commitState(
  { git }: Checkout,
  of: { readonly name: string; readonly present: Present; readonly head: string | null },
): Promise<string> {
  const left = of.present.leftOut.map(({ path, why }) => `Left out (${why}): ${path}`);
  const message = [subjectOf(of.name), ...(left.length === 0 ? [] : ['', ...left])].join('\n');
  const parent = of.head === null ? [] : ['-p', of.head];
  const made = await git.bytes(['commit-tree', of.present.tree, ...parent], {
    input: Buffer.from(`${message}\n`),
  });
  return made.toString('utf8').trim();
}

/** Updates all refs or none. */
export async function setRefs(git: Git, refs: ReadonlyMap<string, string | null>): Promise<void> {
  if (refs.size === 0) return;
  const lines = [...refs].map(([ref, commit]) =>
    commit === null ? `delete ${ref}\0\0` : `update ${ref}\0${commit}\0\0`,
  );
  const update = () =>
    git.bytes(['update-ref', '-z', '--no-deref', '--stdin'], { input: bytesOf(lines.join('')) });
  try {
    await update();
  } catch (error) {
    if (!(error instanceof GitError) || !(await dropLocks(git, [...refs.keys()], error))) throw error;
    await update();
  }
}

/**
 * A killed git leaves its lock on a ref of Muster's, which would block later snapshots of that name. Returns
 * whether the update should be retried.
 */
async function dropLocks(git: Git, refs: readonly string[], { cutOff, message }: GitError): Promise<boolean> {
  if (!cutOff && !LOCKED.test(message)) return false;
  const common = await git.text('rev-parse', '--path-format=absolute', '--git-common-dir');
  // Only Muster writes these refs. A lock that another git may still hold is left alone.
  const before = Date.now() - (cutOff ? 0 : REF_LOCK_MS);
  let dropped = cutOff;
  for (const ref of refs.filter((one) => one.startsWith(REFS))) {
    const lock = join(common, `${ref}.lock`);
    const facts = await stat(lock).catch(() => null);
    if (facts === null || facts.mtimeMs > before) continue;
    await rm(lock, { force: true });
    dropped = true;
  }
  return dropped;
}

/** A snapshot's commit, or null if there is none of that name. */
export const snapshotCommit = (git: Git, name: string): Promise<string | null> =>
  git.maybe('rev-parse', '--verify', '--quiet', `${REFS}${name}^{commit}`);

/** A snapshot, and HEAD's commit when it was taken: its parent, or itself if nothing differed. */
export async function snapshotFacts(
  git: Git,
  name: string,
): Promise<{ commit: string; head: string | null } | null> {
  const shown = await git.maybe('log', '-1', '--format=%H%n%P%n%s', `${REFS}${name}`);
  if (shown === null) return null;
  const [commit = '', parents = '', subject = ''] = shown.split('\n');
  if (subject !== subjectOf(name)) return { commit, head: commit };
  return { commit, head: parents === '' ? null : parents };
}

/** The first existing one of these snapshots. */
export async function firstSnapshot(git: Git, names: readonly string[]): Promise<string | null> {
  for (const name of names) {
    const commit = isSnapshotName(name) ? await snapshotCommit(git, name) : null;
    if (commit !== null) return commit;
  }
  return null;
}

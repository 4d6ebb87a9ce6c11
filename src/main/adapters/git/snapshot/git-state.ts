import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import type { FolderState } from '../../../core/ports/workspaces/workspaces';
import type { Checkout } from '../checkout';
import { bytesOf, type Git, GitError, readable } from '../command/git-command';
import { tryMerge } from '../merge/merge-trees';
import { submoduleNotes } from './submodules';

/** What git has begun in a folder, by the file that says so, and how it is taken back. */
const OPERATIONS = [
  ['MERGE_HEAD', 'merge', 'git merge --abort'],
  ['rebase-merge', 'rebase', 'git rebase --abort'],
  ['rebase-apply', 'rebase', 'git rebase --abort'],
  ['CHERRY_PICK_HEAD', 'cherry-pick', 'git cherry-pick --abort'],
  ['REVERT_HEAD', 'revert', 'git revert --abort'],
  ['BISECT_LOG', 'bisect', 'git bisect reset'],
] as const;

/** Merges among the commits of a run that are looked at for markers; each costs a merge of trees. */
const MOST_MERGES = 20;
const MOST_NAMED = 10;

interface Looked {
  /** The tree of the folder. */
  readonly tree: string;
  /** The commit that the work began at; null: unknown. */
  readonly start: string | null;
  /** The branch that Muster made for the folder. */
  readonly branch: string | null;
  /** Set if Muster took HEAD off its branch when the run ended: what was checked out before, and HEAD since. */
  readonly freed: { readonly branch: string | null; readonly head: string; readonly commit: string } | null;
}

/** The state in which agents left git in a folder, before its files become a commit. */
export async function gitState(checkout: Checkout, looked: Looked): Promise<FolderState> {
  // A plain folder has no repository of its own.
  if (checkout.shadow) return { unsettled: null, notes: [] };
  const unsettled = await unsettledIn(checkout, looked);
  const notes = [...(await headNotes(checkout.git, looked)), ...(await submoduleNotes(checkout))];
  return { unsettled, notes };
}

/** The state as sentences for a reader of the changes. */
export const sentences = (state: FolderState | null): string[] =>
  state === null
    ? []
    : [
        ...(state.unsettled === null
          ? []
          : [`${state.unsettled.message} ${state.unsettled.mend ?? ''}`.trim()]),
        ...state.notes,
      ];

/** Why the files are no finished work; null if they are. */
async function unsettledIn({ git, gitDir, top }: Checkout, looked: Looked): Promise<AppError | null> {
  const open = await operationIn(gitDir);
  const unmerged = new Set(
    (await git.records(['ls-files', '-u', '-z'])).map((line) => line.split('\t')[1] ?? ''),
  );
  const files = new Set([...unmerged, ...(await markedFiles(git, looked, open !== null))]);
  if (open === null && files.size === 0) return null;
  const named = [...files].map(readable).sort();
  const more = named.length > MOST_NAMED ? ` and ${named.length - MOST_NAMED} more` : '';
  const conflicted =
    named.length === 0 ? '' : ` Files with conflicts: ${named.slice(0, MOST_NAMED).join(', ')}${more}.`;
  const what = open === null ? 'Conflicts were left' : `An unfinished ${open.name} was left`;
  const mend =
    open === null
      ? `Resolve the conflicts in ${top}, then apply again.`
      : `Finish it in ${top}, or abort it there (${open.abort}), then apply again.`;
  return appError('conflict', `${what} in ${top}.${conflicted}`, { where: { file: top }, mend });
}

/** What git has begun in a work tree and not finished; null if nothing. */
export async function operationIn(
  gitDir: string,
): Promise<{ readonly name: string; readonly abort: string } | null> {
  for (const [file, name, abort] of OPERATIONS) {
    const found = await stat(join(gitDir, file)).catch(() => null);
    if (found !== null) return { name, abort };
  }
  return null;
}

/** Files with conflict markers, among those that git itself calls conflicted. */
async function markedFiles(git: Git, { tree, start }: Looked, inProgress: boolean): Promise<string[]> {
  const candidates = new Set<string>();
  if (inProgress)
    for (const path of await git.records([
      'diff-tree',
      '-r',
      '-z',
      '--name-only',
      '--no-renames',
      'HEAD',
      tree,
    ]))
      candidates.add(path);
  for (const merge of start === null ? [] : await mergesSince(git, start)) {
    const [, ours = '', theirs = '', ...others] = merge;
    if (theirs === '' || others.length > 0) continue;
    for (const { path } of (await tryMerge(git, ours, theirs)).conflicts) candidates.add(path);
  }
  return candidates.size === 0 ? [] : withMarkers(git, tree, [...candidates]);
}

async function mergesSince(git: Git, start: string): Promise<string[][]> {
  const listed = await git.maybe('rev-list', '--merges', '--parents', `-${MOST_MERGES}`, 'HEAD', `^${start}`);
  return (listed ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '));
}

async function withMarkers(git: Git, tree: string, paths: readonly string[]): Promise<string[]> {
  // A path that is not valid text cannot be an argument of git.
  const named = paths.filter((path) => Buffer.from(readable(path)).equals(bytesOf(path))).map(readable);
  const found: string[] = [];
  for (let at = 0; at < named.length; at += 500) {
    const some = named.slice(at, at + 500);
    try {
      const marked = await git.records(['grep', '-l', '-z', '-I', '-e', '^<<<<<<< ', tree, '--', ...some]);
      found.push(...marked.map((line) => line.slice(line.indexOf(':') + 1)));
    } catch (error) {
      // This exit code means that none has one.
      if (!(error instanceof GitError) || error.code !== 1) throw error;
    }
  }
  return found;
}

/** Where the agents left HEAD, if a merge of the folder would not bring what a reader expects. */
async function headNotes(git: Git, { start, branch, freed }: Looked): Promise<string[]> {
  const now = await git.maybe('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  if (now === null || start === null) return [];
  const at = (await git.maybe('symbolic-ref', '--quiet', 'HEAD'))?.replace(/^refs\/heads\//, '') ?? null;
  const asFreed = freed !== null && at === null && now === freed.commit;
  const [head, name] = asFreed ? [freed.head, freed.branch] : [now, at];
  const notes: string[] = [];
  if (name === null && head !== start)
    notes.push('The agents committed without a branch (HEAD is detached).');
  if (name !== null && branch !== null && name !== branch)
    notes.push(`The agents switched to the branch ${name}.`);
  const missing = await git.maybe('rev-list', '--count', start, `^${head}`);
  if (missing !== null && missing !== '0')
    notes.push(
      `The agents moved HEAD back before the start of the work: ${missing === '1' ? '1 commit' : `${missing} commits`} of it are not in the result. A merge does not remove them from your branch.`,
    );
  return notes;
}

import { join } from 'node:path';
import { fail, ok, type Result } from '@contract/result';
import type { ChangeToRetake } from '../../../core/ports/workspaces/workspace-edits';
import type { WorkspaceDiff } from '../../../core/ports/workspaces/workspaces';
import type { Checkout } from '../checkout';
import type { Git } from '../command/git-command';
import { tryMerge } from '../merge/merge-trees';
import { presentState } from '../snapshot/present-state';
import { keep, REFS, setRefs } from '../snapshot/snapshot';
import { listed, takeDiff } from './diff';
import { changedFiles } from './file-list';

type Edit = NonNullable<ChangeToRetake['edit']>;

interface Sides {
  readonly from: string;
  readonly to: string;
}

/** Reads a recorded change again after its folder was edited: see `WorkspaceEdits.retake`. */
export async function retakeChange(
  checkout: Checkout,
  what: ChangeToRetake,
): Promise<Result<WorkspaceDiff | null>> {
  const { recorded, edit } = what;
  const { git, scope } = checkout;
  const now = edit === null ? await leftState(checkout, what) : await carried(git, what, edit);
  if (now === null)
    return fail('conflict', 'The edit cannot be carried over to an earlier change of the folder.');
  if (now.from === recorded.from && now.to === recorded.to) return ok(null);
  const between = { ...now, scope };
  const all = await changedFiles(git, between);
  const files = listed(all);
  // Named by its content: a file of an earlier state is never overwritten.
  const file = join(what.folder, `${what.key}-${now.to.slice(0, 12)}.diff`);
  return ok({ diff: await takeDiff(git, { between, all }, file), files, notes: [] });
}

/** Whether the folder would change if the lines were taken out of it too. */
export async function holdsTaken(checkout: Checkout, edit: Pick<Edit, 'before' | 'after'>): Promise<boolean> {
  const { tree } = await presentState(checkout);
  const without = await withEdit(checkout.git, tree, { ...edit, hunk: null });
  // Where the lines around them have changed, they are counted as being there.
  return without === null || without !== tree;
}

/** The folder as it is now. */
async function leftState(checkout: Checkout, { recorded, uid, key }: ChangeToRetake): Promise<Sides> {
  const present = await presentState(checkout);
  const then = await treeOf(checkout.git, recorded.to);
  if (present.tree === then) return recorded;
  const kept = await keep(checkout, `${uid}/${key}-${present.tree.slice(0, 12)}`, present);
  return { from: recorded.from, to: kept.commit };
}

/** Both recorded states with the edit; null if it does not fit one of them. */
async function carried(
  git: Git,
  { recorded, began, uid, key }: ChangeToRetake,
  edit: Edit,
): Promise<Sides | null> {
  const isEarlier = await wasThere(git, began, edit);
  const from = isEarlier ? await withEdit(git, recorded.from, edit) : recorded.from;
  const to = await withEdit(git, recorded.to, edit);
  if (from === null || to === null) return null;
  const made = [from, to].filter((commit) => commit !== recorded.from && commit !== recorded.to);
  await setRefs(git, new Map(made.map((commit) => [`${REFS}${uid}/${key}-${commit.slice(0, 12)}`, commit])));
  return { from, to };
}

/** Whether a hunk was already there when the change began: then it is no part of the change. */
async function wasThere(git: Git, began: string, { before, after, hunk }: Edit): Promise<boolean> {
  if (hunk === null) return false;
  const [without, withHunk] = hunk === 'taken' ? [after, before] : [before, after];
  const ours = await treeOf(git, began);
  return (await mergedTree(git, { base: without, ours, theirs: withHunk })) === ours;
}

const treeOf = (git: Git, name: string): Promise<string> =>
  git.text('rev-parse', '--verify', `${name}^{tree}`);

/** A state with an edit of a later one, by a merge of the three trees. */
async function withEdit(git: Git, state: string, { before, after }: Edit): Promise<string | null> {
  const tree = await treeOf(git, state);
  const target = tree === before ? after : await mergedTree(git, { base: before, ours: tree, theirs: after });
  if (target === null) return null;
  return target === tree ? state : commitOf(git, target, []);
}

async function mergedTree(
  git: Git,
  trees: { readonly base: string; readonly ours: string; readonly theirs: string },
): Promise<string | null> {
  const base = await commitOf(git, trees.base, []);
  const ours = await commitOf(git, trees.ours, [base]);
  const theirs = await commitOf(git, trees.theirs, [base]);
  const { tree, conflicts } = await tryMerge(git, ours, theirs);
  return conflicts.length === 0 ? tree : null;
}

const commitOf = (git: Git, tree: string, parents: readonly string[]): Promise<string> =>
  git.text('commit-tree', tree, ...parents.flatMap((one) => ['-p', one]), '-m', 'Muster: edited change');

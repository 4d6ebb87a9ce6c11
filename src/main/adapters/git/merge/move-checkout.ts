import { err, fail, ok, type Result } from '@contract/result';
import { type Git, gitMessage, readable } from '../command/git-command';
import { type CheckoutMoves, InterruptedError } from '../moves';
import { examine } from '../moves/examine';
import { changedBetween, lookAt } from '../moves/files';
import { entryOf } from './application';

/** The state of the checkout that a merge goes into. */
export interface Target {
  readonly target: string;
  /** The full branch name; null if none is checked out. */
  readonly branch: string | null;
  readonly head: string;
}

interface Forward {
  readonly commit: string;
  readonly tree: string;
  readonly at: Target;
  readonly what: string;
}

/** Files that the operator had already staged with the new content. */
interface Moved {
  readonly kept: readonly string[];
}

/**
 * Moves the whole checkout to the merge's commit, or reports which of the operator's changes are in the way
 * and moves nothing.
 */
export function moveForward(
  moves: CheckoutMoves,
  git: Git,
  { commit, tree, at, what }: Forward,
): Promise<Result<Moved>> {
  const to = { branch: at.branch, commit, tree };
  // The operator's merge options for this branch, such as --squash, must not apply here.
  const plain = at.branch === null ? [] : ['-c', `branch.${at.target}.mergeOptions=`];
  const args = ['merge', '--ff-only', '--no-autostash', '--no-overwrite-ignore', '--quiet', commit];
  const move = { what, kind: 'merge' as const, index: null, from: null, to };
  return moving(() => moves.run(git, move, [...plain, ...args]));
}

/** Changes the files and the index to the merge's, and commits nothing. */
export async function stageFiles(
  moves: CheckoutMoves,
  git: Git,
  { tree, at, what }: Omit<Forward, 'commit'>,
): Promise<Result<Moved>> {
  const before = await git.text('rev-parse', `${at.head}^{tree}`);
  const change = { how: 'files' as const, branch: at.branch, before: at.head, after: at.head, tree };
  const { entry, git: top } = await entryOf(git, { change, what });
  // A Muster that was killed may have made this already.
  if ((await examine(top, entry)).at === 'after') return ok({ kept: [] });
  // `read-tree` overwrites ignored files.
  const added = (await changedBetween(top, before, tree)).filter(({ from }) => from === null);
  const looks = await Promise.all(added.map(({ path }) => lookAt(entry.top, path)));
  const there = added.filter((_, index) => looks[index]?.kind === 'file' || looks[index]?.kind === 'link');
  const staged = there.length === 0 ? [] : await top.records(['ls-files', '-z', '--cached']);
  const blocked = there.filter(({ path }) => !staged.includes(path)).map(({ path }) => readable(path));
  if (blocked.length > 0)
    return fail(
      'conflict',
      `Nothing was merged, and your checkout is unchanged. These files of yours are in the way: ${blocked.join(', ')}.`,
      { mend: 'Move or delete them, then ask for the merge again.' },
    );
  const move = { what, kind: 'files' as const, index: null, from: entry.from, to: entry.to };
  return moving(() => moves.run(git, move, ['read-tree', '-m', '-u', before, tree]));
}

async function moving(run: () => Promise<Moved>): Promise<Result<Moved>> {
  try {
    return ok(await run());
  } catch (error) {
    if (error instanceof InterruptedError) return err(error.toAppError('The merge was not made'));
    const message = gitMessage(error);
    const mend = /index\.lock/.test(message)
      ? 'Wait for the git process working there, or remove its leftover lock; then ask for the merge again.'
      : /would be overwritten|local changes|untracked working tree|not uptodate/.test(message)
        ? 'Commit or stash your own changes to these files, then ask for the merge again.'
        : 'Resolve what git reports, then ask for the merge again.';
    return fail('conflict', `Nothing was merged, and your checkout is unchanged. ${message}`, { mend });
  }
}

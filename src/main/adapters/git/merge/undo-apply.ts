import { counted } from '@contract/counted';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { AppliedChange } from '@contract/run/results/apply';
import type { ApplyToUndo, Undoable } from '../../../core/ports/workspaces/apply-port';
import { type Git, gitMessage, readable } from '../command/git-command';
import { type CheckoutMoves, InterruptedError } from '../moves';
import { examine, tipOf } from '../moves/examine';
import { stagedAgainst } from '../moves/files';
import type { MoveEntry } from '../moves/journal';
import { operationIn } from '../snapshot/git-state';
import { entryOf, targetName } from './application';

const MOST_NAMED = 10;

interface Looked extends Undoable {
  readonly entry: MoveEntry;
}

/** Whether the checkout is on one side of an application. Fails with the reason if it is on neither. */
export async function lookAtApplied(
  moves: CheckoutMoves,
  git: Git,
  { change, what }: ApplyToUndo,
): Promise<Result<Looked>> {
  if (!(await isKnown(git, change)))
    return fail('not_found', 'The commits of this application are no longer in the repository.');
  const { git: top, entry } = await entryOf(git, { change, what });
  const open = await operationIn(entry.gitDir);
  if (open !== null)
    return err(
      refusal(`Your checkout has an unfinished ${open.name}.`, `Finish or abort it first (${open.abort}).`),
    );
  const moved = await movedOn(top, change);
  if (moved !== null) return err(moved);
  const seen = await examine(top, entry);
  const files = seen.files.length;
  if (seen.at === 'before') return ok({ at: 'undone', files, entry });
  const staged = await stagedAgainst(top, entry.to.tree);
  const changed = seen.files.filter(
    ({ path, state }) => (state !== 'after' && state !== 'either') || staged.has(path),
  );
  const whole = seen.at === 'after' && changed.length === 0;
  if (!whole) {
    const interrupted = (await moves.interrupted()).find(({ path }) => path === entry.top);
    if (interrupted !== undefined) return err(new InterruptedError(interrupted).toAppError(NOTHING));
    return err(changed.length === 0 ? hasMoved(change) : changedSince(changed.map(({ path }) => path)));
  }
  const pushed = await remoteWith(top, change);
  return pushed === null ? ok({ at: 'applied', files, entry }) : err(isPushed(pushed, change));
}

/** Puts the checkout back to before an application: files and index first, HEAD last. */
export async function undoApply(
  moves: CheckoutMoves,
  git: Git,
  wanted: ApplyToUndo,
): Promise<Result<Undoable>> {
  const looked = await lookAtApplied(moves, git, wanted);
  if (!looked.ok) return looked;
  const { at, files, entry } = looked.value;
  if (at === 'undone') return ok({ at, files });
  const { what, kind, from, to } = entry;
  try {
    const back = { what, kind, index: null, from: to, to: from };
    const head = kind === 'files' ? {} : { headAfter: true as const };
    await moves.run(git, { ...back, ...head }, ['read-tree', '-m', '-u', to.tree, from.tree]);
    return ok({ at, files });
  } catch (error) {
    if (error instanceof InterruptedError) return err(error.toAppError('The undo was not made'));
    const moved = await movedOn(git, wanted.change);
    return err(moved ?? refusal(gitMessage(error), 'Resolve what git reports, then undo again.'));
  }
}

async function isKnown(git: Git, { before, after, tree }: AppliedChange): Promise<boolean> {
  for (const name of [`${before}^{commit}`, `${after}^{commit}`, `${tree}^{tree}`])
    if ((await git.maybe('rev-parse', '--verify', '--quiet', name)) === null) return false;
  return true;
}

const NOTHING = 'Nothing was undone';

const refusal = (why: string, mend: string): AppError => appError('conflict', `${NOTHING}. ${why}`, { mend });

async function movedOn(git: Git, change: AppliedChange): Promise<AppError | null> {
  const { branch, commit } = await tipOf(git);
  const then = targetName(change.branch, change.before);
  if (branch !== change.branch) {
    const now = targetName(branch, commit ?? '');
    const mend = change.branch === null ? 'Undo it by hand.' : `Check out ${then}, then undo again.`;
    return refusal(`Your checkout is on ${now} now; this was applied to ${then}.`, mend);
  }
  return commit === change.after || commit === change.before ? null : hasMoved(change);
}

const hasMoved = (change: AppliedChange): AppError =>
  refusal(
    `${targetName(change.branch, change.before)} has moved on since.`,
    change.how === 'files' ? 'Undo it by hand.' : revertOf(change),
  );

const revertOf = ({ how, after }: AppliedChange): string =>
  `Revert it with a commit of its own: git revert ${how === 'keep' ? '-m 1 ' : ''}${after.slice(0, 12)}`;

function changedSince(paths: readonly string[]): AppError {
  const named = paths.slice(0, MOST_NAMED).map(readable).join(', ');
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
  return refusal(
    `${counted(paths.length, 'file')} ${paths.length === 1 ? 'was' : 'were'} changed since: ${named}${more}.`,
    'Your changes there would be lost. Commit, stash or discard them, then undo again.',
  );
}

/** A remote branch that has the commit; null if there is none. */
async function remoteWith(git: Git, { how, after }: AppliedChange): Promise<string | null> {
  if (how === 'files') return null;
  const args = ['for-each-ref', '--count=1', '--format=%(refname:short)', '--contains', after];
  return (await git.text(...args, 'refs/remotes')) || null;
}

const isPushed = (remote: string, change: AppliedChange): AppError =>
  refusal(`${change.after.slice(0, 12)} was already pushed to ${remote}.`, revertOf(change));

import type { Rehearsal } from '@areas/changes/contract/merge';
import { type AppError, appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import { err, fail, ok, type Result } from '@contract/result';
import type {
  AppliedNow,
  ApplyMade,
  ApplyPort,
  ApplyToMake,
  ApplyToUndo,
  Undoable,
} from '../../../core/ports/workspaces/apply-port';
import type { ChangedFile, ChangeSearched, FileWanted } from '../../../core/ports/workspaces/changed-content';
import {
  type MergeChanges,
  type MergeInto,
  type MergeMade,
  type MergeReads,
  type Merges,
  type MergeToMake,
  type MergeWanted,
  markOf,
} from '../../../core/ports/workspaces/merges';
import { Git, gitMessage, readable } from '../command/git-command';
import { Queue } from '../command/queue';
import type { GitRunner } from '../command/run-git';
import { readChangedFile, searchChange } from '../diff/changed-content';
import { type CheckoutMoves, InterruptedError } from '../moves';
import { changeOf, targetName } from './application';
import { outlookOf } from './apply-outlook';
import { checkoutProblem } from './checkout-problem';
import { earlierCommit, subjectOf } from './earlier-commit';
import { mergeChanges, mergedTrees } from './merge-changes';
import { type Conflict, canTake, resolve, shownConflict, type Tried, tryMerge } from './merge-trees';
import { moveForward, stageFiles, type Target } from './move-checkout';
import { commitFor } from './signed-commit';
import { lookAtApplied, undoApply } from './undo-apply';

function failed(what: string, error: unknown): Result<never> {
  if (error instanceof InterruptedError) return err(error.toAppError(what));
  const message = gitMessage(error);
  // Git's error for an unknown command is its usage text.
  if (!/^usage: git merge-tree/m.test(message)) return fail('workspace.failed', `${what}: ${message}`);
  const mend = 'Install a newer git, or merge the branch by hand.';
  return fail('workspace.failed', `${what}: it needs git 2.38 or newer.`, { mend });
}

type Wanted = MergeToMake & Pick<ApplyToMake, 'how'>;

/** An agent began a history of its own, for example on an orphan branch. */
function unrelated({ target }: Target, commit: string): AppError {
  const short = commit.slice(0, 12);
  return appError('conflict', `The work ${short} has no commit in common with ${target}.`, {
    mend: `Take its files over with git checkout ${short} -- . or join both with git merge --allow-unrelated-histories ${short}`,
  });
}

/** How often a merge is restarted because the checkout moved meanwhile. */
const MOST_TRIES = 3;

/**
 * Merges with git's machinery on trees only (`merge-tree`), so that a rehearsal touches neither work tree nor
 * index. The checkout is then moved forward in one step, which git refuses if it would overwrite anything.
 */
export class GitMerges implements Merges, MergeReads, ApplyPort {
  /** Two simultaneous merges into one checkout, each based on its HEAD, would conflict. */
  readonly #checkouts = new Queue();

  constructor(
    private readonly moves: CheckoutMoves,
    private readonly runner?: GitRunner,
  ) {}

  async rehearse({ projectPath, commit }: MergeWanted): Promise<Result<Rehearsal>> {
    const git = new Git(projectPath, this.runner);
    try {
      if ((await git.maybe('rev-parse', '--is-inside-work-tree')) === 'false') {
        const problem = await checkoutProblem(git);
        if (problem !== null) return err(problem);
      }
      const at = await targetOf(git);
      if ((await git.maybe('merge-base', at.head, commit)) === null) return err(unrelated(at, commit));
      return ok({ ...(await rehearsal(git, at, await tryMerge(git, at.head, commit))), commit });
    } catch (error) {
      return failed('The merge could not be tried', error);
    }
  }

  async changes(wanted: Parameters<Merges['changes']>[0]): Promise<Result<MergeChanges>> {
    const git = new Git(wanted.projectPath, this.runner);
    try {
      const root = await git.text('rev-parse', '--show-toplevel');
      return ok(await mergeChanges(git, { ...wanted, root }));
    } catch (error) {
      return failed('The changes of the merge could not be read', error);
    }
  }

  async fileOf(wanted: MergeInto, file: FileWanted): Promise<Result<ChangedFile>> {
    const git = new Git(wanted.projectPath, this.runner);
    try {
      const { between, isOpen } = await mergedTrees(git, wanted);
      if (isOpen(file.path)) return fail('conflict', `${file.path} is in conflict.`);
      return await readChangedFile({ git, between }, file);
    } catch (error) {
      return failed('The file could not be read', error);
    }
  }

  async searchIn(wanted: MergeInto, text: string): Promise<Result<ChangeSearched>> {
    const git = new Git(wanted.projectPath, this.runner);
    try {
      const { between, isOpen } = await mergedTrees(git, wanted);
      return ok(await searchChange({ git, between }, text, isOpen));
    } catch (error) {
      return failed('The changes of the merge could not be searched', error);
    }
  }

  async merge(wanted: MergeToMake): Promise<Result<MergeMade>> {
    const made = await this.#bring({ ...wanted, how: 'squash' });
    if (!made.ok || made.value.kind === 'moved') return made;
    const { commit, signed } = made.value;
    return ok({ kind: 'made', commit, ...(signed && { signed }) });
  }

  async apply(wanted: ApplyToMake): Promise<Result<ApplyMade>> {
    const made = await this.#bring({ ...wanted, choices: {}, newer: null });
    if (!made.ok || made.value.kind === 'moved' || made.value.commit === null) return made;
    const git = new Git(wanted.projectPath, this.runner);
    const change = await changeOf(git, made.value.commit, wanted.rehearsed.target);
    return ok({ ...made.value, change });
  }

  async outlook({ projectPath, into, commit }: Parameters<ApplyPort['outlook']>[0]) {
    const git = new Git(projectPath, this.runner);
    try {
      const top = await git.text('rev-parse', '--show-toplevel');
      return ok(await outlookOf(git.at(top), { top, into, commit }));
    } catch (error) {
      return failed('The changes of the result could not be read', error);
    }
  }

  async undoable(wanted: ApplyToUndo): Promise<Result<Undoable>> {
    const git = new Git(wanted.projectPath, this.runner);
    try {
      const looked = await lookAtApplied(this.moves, git, wanted);
      return looked.ok ? ok({ at: looked.value.at, files: looked.value.files }) : looked;
    } catch (error) {
      return failed('Whether it can be undone could not be read', error);
    }
  }

  undo(wanted: ApplyToUndo): Promise<Result<Undoable>> {
    return this.#checkouts.add(wanted.projectPath, () =>
      undoApply(this.moves, new Git(wanted.projectPath, this.runner), wanted).catch((error: unknown) =>
        failed('Nothing was undone, and your checkout is unchanged', error),
      ),
    );
  }

  #bring(wanted: Wanted): Promise<Result<ApplyMade>> {
    return this.#checkouts.add(wanted.projectPath, () => this.#bringNow(wanted));
  }

  async #bringNow(wanted: Wanted): Promise<Result<ApplyMade>> {
    const git = new Git(wanted.projectPath, this.runner);
    try {
      const problem = await checkoutProblem(git);
      if (problem !== null) return err(problem);
      for (let tries = 1; ; tries += 1) {
        const at = await targetOf(git);
        const made = await this.#bringInto(git, at, wanted);
        // Another git, or the repair of an interrupted change, moved the checkout, which may now contain this
        // merge.
        const outrun = !made.ok && (await targetOf(git)).head !== at.head;
        if (!outrun || tries === MOST_TRIES) return made;
      }
    } catch (error) {
      return failed('Nothing was merged, and your checkout is unchanged', error);
    }
  }

  async #bringInto(git: Git, at: Target, wanted: Wanted): Promise<Result<ApplyMade>> {
    const earlier = await earlierCommit(git, at.head, wanted);
    if (earlier !== null) return ok({ kind: 'made', commit: earlier, change: null, staged: false });
    const commit = wanted.newer ?? wanted.commit;
    const tried = await tryMerge(git, at.head, commit);
    const moved = await whatMoved(git, { at, tried }, wanted);
    if (moved !== null) return ok({ kind: 'moved', ...(await rehearsal(git, at, tried)), commit, moved });
    const open = tried.conflicts.filter((one) => {
      const choice = ownValue(wanted.choices, readable(one.path));
      return choice === undefined || !canTake(one, choice);
    });
    if (open.length > 0) return undecided(open);
    const tree = await resolve(git, tried, wanted.choices);
    if (tree === (await git.text('rev-parse', `${at.head}^{tree}`)))
      return ok({ kind: 'made', commit: null, change: null, staged: false });
    const parents = wanted.how === 'keep' ? [at.head, commit] : [at.head];
    return this.#bringTree(git, { tree, parents, at }, wanted);
  }

  async #bringTree(
    git: Git,
    {
      tree,
      parents,
      at,
    }: { readonly tree: string; readonly parents: readonly string[]; readonly at: Target },
    wanted: Wanted,
  ): Promise<Result<AppliedNow>> {
    const { how, sign = 'as-configured' } = wanted;
    const what = subjectOf(wanted);
    if (how === 'files') {
      const staged = await stageFiles(this.moves, git, { tree, at, what });
      if (!staged.ok) return staged;
      const change = { how, branch: at.branch, before: at.head, after: at.head, tree };
      return ok({ kind: 'made', commit: null, change, staged: staged.value.kept.length > 0 });
    }
    const made = await commitFor(git, { tree, parents, message: messageOf(wanted), sign });
    if (!made.ok) return made;
    const { commit, signed } = made.value;
    const moved = await moveForward(this.moves, git, { commit, tree, at, what });
    if (!moved.ok) return moved;
    const staged = moved.value.kept.length > 0;
    return ok({ kind: 'made', commit, ...(signed && { signed }), change: null, staged });
  }
}

const messageOf = ({ message, id }: MergeToMake): string => `${message}\n\n${markOf(id)}`;

async function targetOf(git: Git): Promise<Target> {
  const head = await git.text('rev-parse', '--verify', 'HEAD^{commit}');
  const branch = await git.maybe('symbolic-ref', '-q', 'HEAD');
  return { target: targetName(branch, head), branch, head };
}

async function rehearsal(
  git: Git,
  { target, head }: Target,
  tried: Tried,
): Promise<Omit<Rehearsal, 'commit'>> {
  const changed = await git.records(['diff-tree', '-r', '-z', '--name-only', head, tried.tree]);
  const conflicts = await Promise.all(tried.conflicts.map((one) => shownConflict(git, tried.tree, one)));
  return { target, targetCommit: head, files: changed.length, conflicts };
}

/**
 * How the merge differs from the one shown to the operator; null if it is the same. On the same branch it also
 * applies to newer commits, as long as it changes the same files in the same way. If the operator has dropped
 * the commit that was shown, it never does: the merge could bring back what they dropped.
 */
async function whatMoved(
  git: Git,
  { at, tried }: { readonly at: Target; readonly tried: Tried },
  { commit, newer, rehearsed: { target, targetCommit } }: MergeToMake,
): Promise<string | null> {
  if (at.target !== target) return `Your checkout is on ${at.target} now, and was on ${target}.`;
  if (newer !== null) return 'Its folder has changed since.';
  if (at.head === targetCommit) return null;
  const moved = `${target} has moved on since.`;
  if ((await git.maybe('rev-parse', '--verify', '--quiet', `${targetCommit}^{commit}`)) === null)
    return moved;
  if ((await git.maybe('merge-base', '--is-ancestor', targetCommit, at.head)) === null)
    return `${target} no longer has the commit ${targetCommit.slice(0, 12)} that was shown.`;
  const then = await tryMerge(git, targetCommit, commit);
  if (sides(then.conflicts) !== sides(tried.conflicts)) return moved;
  const shown = await effectOf(git, targetCommit, then);
  return shown === (await effectOf(git, at.head, tried)) ? null : moved;
}

/** The files that a merge changes, with their content on both sides; without those in conflict. */
async function effectOf(git: Git, target: string, { tree, conflicts }: Tried): Promise<string> {
  const records = await git.records(['diff-tree', '-r', '-z', '--no-renames', '--raw', target, tree]);
  const open = new Set(conflicts.flatMap(({ path, pieces }) => [path, ...pieces]));
  // Each file has two records: what changed, and its name.
  const changed = records.flatMap((record, at) => {
    const path = records[at + 1] ?? '';
    return at % 2 === 0 && !open.has(path) ? [`${record} ${path}`] : [];
  });
  return changed.join('\n');
}

/** The files in conflict, with the content of each side. */
const sides = (conflicts: readonly Conflict[]): string =>
  conflicts
    .map(({ path, stages }) => JSON.stringify([path, stages[1], stages[2], stages[3]]))
    .sort()
    .join('\n');

function undecided(open: readonly Conflict[]): Result<never> {
  const names = open.map((one) => readable(one.path)).join(', ');
  return fail('conflict', `Nothing was merged: these files conflict: ${names}.`, {
    mend: 'Ask for the merge again, and resolve each of them.',
  });
}

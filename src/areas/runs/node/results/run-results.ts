import type { Rehearsal } from '@areas/changes/contract/merge';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import type { ApplyOutcome, RunResult, ShownResult } from '@contract/run/results/results';
import { isElsewhere, resultToApply, shownResults } from '@contract/run/results/shown-results';
import type { RunState } from '@contract/run/state';
import { runOf } from '@main/core/engine/effects/workspace-effects';
import type { Engine } from '@main/core/engine/engine';
import type { Logger } from '@main/core/ports/ports';
import type { Store } from '@main/core/ports/store/store';
import type { MergeMade as MadeMerge, Merges } from '@main/core/ports/workspaces/merges';
import type { ReleasedFolder, WorkspaceEdits } from '@main/core/ports/workspaces/workspace-edits';
import type { MadeWorkspace, Workspaces } from '@main/core/ports/workspaces/workspaces';

interface RunResultsParts {
  readonly engine: Pick<Engine, 'command'>;
  readonly store: Pick<Store, 'runByUid'>;
  readonly workspaces: Pick<WorkspaceEdits, 'release' | 'reattach' | 'worktrees' | 'isInCheckout'> &
    Pick<Workspaces, 'revive'>;
  readonly merges: Merges;
  readonly logger: Pick<Logger, 'warn'>;
  /** The current state of a run, live or from the log; null if there is none. */
  state(runId: number): RunState | null;
}

interface Wanted {
  readonly runId: number;
  readonly step?: string | undefined;
}

interface ApplyWish extends Wanted {
  readonly by: string;
  /** What was shown (`toApply`). Absent: what is there now is applied. */
  readonly shown?: string | undefined;
}

/** A result that can be applied, with what applying it now would do. */
interface ToApply {
  readonly state: RunState;
  readonly result: ShownResult;
  readonly projectPath: string;
  readonly commit: string;
  readonly branch: string | null;
  /** The commit of the checkout. */
  readonly into: string;
  readonly rehearsal: Rehearsal;
  /** Identifies exactly this result and this commit of the checkout. */
  readonly shown: string;
}

/** Results of finished runs: frees their branches, and applies the work to the operator's checkout. */
export class RunResults {
  readonly #releasing = new Map<number, Promise<Result<void>>>();
  /** Runs that are about to continue: they keep their branches. */
  readonly #goingOn = new Set<number>();
  readonly #applying = new Map<number, Promise<unknown>>();

  constructor(private readonly parts: RunResultsParts) {}

  follow(runId: number, events: readonly StoredEvent[]): void {
    if (events.some(({ event }) => event.type === 'run.finished')) void this.release(runId);
  }

  /** Frees an ended run's branches. Simultaneous requests share one operation. */
  release(runId: number): Promise<Result<void>> {
    const known = this.#releasing.get(runId);
    if (known !== undefined) return known;
    const releasing = this.#release(runId)
      .catch((cause: unknown) => fail('workspace.failed', String(cause)))
      .then((done) => {
        if (!done.ok)
          this.parts.logger.warn('the branches of an ended run could not be freed', {
            runId,
            why: done.error.message,
          });
        return done;
      })
      .finally(() => this.#releasing.delete(runId));
    this.#releasing.set(runId, releasing);
    return releasing;
  }

  /** Reads the results of an ended run again, including everything that was edited until now. */
  async reread(runId: number): Promise<Result<void>> {
    // A release that has begun may have read the folders before the last edit.
    await this.#releasing.get(runId);
    return this.release(runId);
  }

  /**
   * At a start: handles runs that ended when nothing could be freed any more, for example when Muster was
   * killed.
   */
  async releaseEnded(): Promise<void> {
    const worktrees = await this.parts.workspaces.worktrees().catch((cause: unknown) => {
      this.parts.logger.warn('the worktrees cannot be listed', { why: String(cause) });
      return [];
    });
    const holding = worktrees.flatMap(({ uid, holdsBranch }) => (uid !== null && holdsBranch ? [uid] : []));
    for (const uid of new Set(holding)) {
      const row = this.parts.store.runByUid(uid);
      if (row !== null && row.finishedAt !== null) await this.release(row.id);
    }
  }

  /** Resolves when no branches are being freed. */
  async settled(): Promise<void> {
    await Promise.all([...this.#releasing.values(), ...this.#applying.values()]);
  }

  /** As the operator left the folders. */
  async results(runId: number): Promise<Result<ShownResult[]>> {
    const found = await this.#asLeft(runId);
    if (!found.ok) return found;
    const { projectPath } = found.value;
    const shown = shownResults(found.value).map(async (one): Promise<ShownResult> => {
      if (one.state !== 'to_apply' || one.commit === null) return one;
      // A member's merge, or one that the operator made manually.
      const there = await this.parts.workspaces.isInCheckout(projectPath, one.commit);
      return there ? { ...one, state: 'applied' } : one;
    });
    return ok(await Promise.all(shown));
  }

  /** Checks out a finished run's branches again, then continues it; if that fails, frees them again. */
  async goingOn<T>(runId: number, goOn: () => Promise<Result<T>>): Promise<Result<T>> {
    const state = this.parts.state(runId);
    if (state === null || state.status !== 'finished') return goOn();
    this.#goingOn.add(runId);
    try {
      await this.#releasing.get(runId);
      const branches = madeIn(state).flatMap(({ branch }) => branch ?? []);
      const back = branches.length === 0 ? ok(undefined) : await this.#back(state, branches);
      if (!back.ok) return back;
      const done = await goOn();
      if (done.ok) return done;
      this.#goingOn.delete(runId);
      await this.release(runId);
      return done;
    } finally {
      this.#goingOn.delete(runId);
    }
  }

  /** Removed or damaged worktrees too, with their last known state. */
  async #back(state: RunState, branches: readonly string[]): Promise<Result<void>> {
    const { workspaces } = this.parts;
    const revived = await workspaces.revive(runOf(state), branches);
    return revived.ok ? workspaces.reattach(runOf(state), branches) : revived;
  }

  /** Serialised per run, so that the same result is not applied twice at the same time. */
  apply(wish: ApplyWish): Promise<Result<ApplyOutcome>> {
    const before = this.#applying.get(wish.runId) ?? Promise.resolve();
    const applying = before.then(() => this.#apply(wish));
    const settled = applying.catch(() => undefined);
    this.#applying.set(wish.runId, settled);
    return applying.finally(() => {
      if (this.#applying.get(wish.runId) === settled) this.#applying.delete(wish.runId);
    });
  }

  /** What applying a result now would do. Fails like `apply`. */
  async toApply({ runId, step }: Wanted): Promise<Result<ToApply>> {
    const found = await this.#asLeft(runId);
    if (!found.ok) return found;
    const state = found.value;
    const chosen = chosenIn(state, step);
    if (!chosen.ok) return chosen;
    const { projectPath } = state;
    const { commit, branch } = chosen.value;
    if (commit === null) return fail('not_found', 'The result has no commit to apply.');
    const rehearsal = await this.parts.merges.rehearse({ projectPath, commit });
    if (!rehearsal.ok) return rehearsal;
    if (rehearsal.value.conflicts.length > 0) return err(conflicts(chosen.value, rehearsal.value));
    const { targetCommit: into, target } = rehearsal.value;
    const shown = shownResult({ commit, into, target });
    const result = chosen.value;
    return ok({ state, result, projectPath, commit, branch, into, rehearsal: rehearsal.value, shown });
  }

  async #apply({ runId, step, by, shown }: ApplyWish): Promise<Result<ApplyOutcome>> {
    const found = await this.toApply({ runId, step });
    if (!found.ok) return found;
    const { state, result, projectPath, commit, rehearsal } = found.value;
    const { workspaceId, applied: done } = result;
    if (done !== null)
      return ok({ kind: 'already', result, target: done.target, commit: done.commit, files: 0 });
    const seen = shown === undefined ? rehearsal : seenIn(shown, commit);
    if (seen === null) return err(changedSince());
    // A merge interrupted by a kill is searched from where it began.
    const cut = state.applying?.workspaceId === workspaceId && state.applying.result === commit;
    const at = cut && state.applying !== null ? state.applying : seen;
    const { target, targetCommit } = at;
    const request = { workspaceId, result: commit };
    if (!cut) {
      const noted = await this.parts.engine.command(runId, (run) =>
        run.state.status === 'finished'
          ? ok([{ type: 'run.apply-requested', ...request, target, targetCommit, by }])
          : err(stillGoing()),
      );
      if (!noted.ok) return noted;
    }
    const made = await this.parts.merges.merge({
      projectPath,
      commit,
      choices: {},
      newer: null,
      message: `Apply the work of "${oneLine(state.name)}"\n\nFrom ${result.branch ?? commit} of Muster's run ${runId}.`,
      id: `${state.uid}/apply-${workspaceId ?? 'run'}-${commit.slice(0, 12)}`,
      rehearsed: { target, targetCommit },
      sign: state.projectSettings?.sign,
    });
    const outcome = made.ok ? commitOf(made.value) : made;
    if (!outcome.ok) {
      await this.parts.engine.command(runId, () =>
        ok([{ type: 'run.apply-refused', ...request, error: outcome.error }]),
      );
      return outcome;
    }
    const { commit: madeAs, ...signed } = outcome.value;
    const recorded = await this.parts.engine.command(runId, () =>
      ok([{ type: 'run.applied', ...request, target, commit: madeAs, ...signed, by }]),
    );
    if (!recorded.ok) return recorded;
    const now = shownResults(this.parts.state(runId) ?? state).find((one) => one.workspaceId === workspaceId);
    return ok({
      kind: madeAs === null ? 'already' : 'applied',
      result: now ?? result,
      target,
      commit: madeAs,
      files: madeAs === null ? 0 : rehearsal.files,
      ...signed,
    });
  }

  /** The state of a run; if it has ended, with its results as the operator left the folders. */
  async #asLeft(runId: number): Promise<Result<RunState>> {
    const state = this.parts.state(runId);
    if (state === null) return err(noRun(runId));
    if (state.status !== 'finished') return ok(state);
    const freed = await this.reread(runId);
    return freed.ok ? ok(this.parts.state(runId) ?? state) : freed;
  }

  async #release(runId: number): Promise<Result<void>> {
    const state = this.parts.state(runId);
    if (state === null || !this.#hasEnded(runId)) return ok(undefined);
    const made = madeIn(state);
    const plain = state.workspaceMode === 'folder' ? made.map(plainResult) : [];
    const worktrees = state.workspaceMode === 'worktree' ? made : [];
    const freed =
      worktrees.length === 0
        ? ok([])
        : await this.parts.workspaces.release(runOf(state), worktrees, () => this.#hasEnded(runId));
    if (!freed.ok) return freed;
    if (freed.value === null) return ok(undefined);
    const found = [...plain, ...freed.value.map((one) => resultOf(made, one))];
    // A folder that was removed on purpose keeps the result it had.
    const known = (state.results ?? []).filter(
      ({ workspaceId }) => !found.some((one) => one.workspaceId === workspaceId),
    );
    const order = made.map((one) => one.workspaceId);
    const results = [...found, ...known].sort(
      (one, other) => order.indexOf(one.workspaceId) - order.indexOf(other.workspaceId),
    );
    if (results.length === 0 && state.results === null) return ok(undefined);
    return this.parts.engine.command(runId, (run) =>
      ok(
        run.state.status !== 'finished' || same(run.state.results, results)
          ? []
          : [{ type: 'run.released', results }],
      ),
    );
  }

  #hasEnded(runId: number): boolean {
    return !this.#goingOn.has(runId) && this.parts.state(runId)?.status === 'finished';
  }
}

/** A run's working folders with a branch or files, the run's own first. */
type WorkspaceResult = MadeWorkspace & { readonly workspaceId: number | null };
export function madeIn(state: RunState): WorkspaceResult[] {
  const runFolders = state.workspace === null ? [] : [{ ...state.workspace, workspaceId: null }];
  const others = Object.values(state.workspaces).flatMap(({ id, path, branch, baseCommit }) =>
    path === null ? [] : [{ path, branch, baseCommit, workspaceId: id }],
  );
  return [...runFolders, ...others];
}

const plainResult = ({ path, workspaceId }: WorkspaceResult): RunResult => ({
  workspaceId,
  path,
  branch: null,
  commit: null,
  base: null,
  files: 0,
  uncommitted: 0,
  includedIn: null,
  note: null,
  unread: null,
  unsettled: null,
});

function resultOf(
  made: readonly WorkspaceResult[],
  { made: name, includedIn, ...left }: ReleasedFolder,
): RunResult {
  const id = (branch: string | undefined) => made.find((one) => one.branch === branch)?.workspaceId ?? null;
  return { ...left, workspaceId: id(name), includedIn: id(includedIn.at(-1)) };
}

const same = (before: readonly RunResult[] | null, after: readonly RunResult[]): boolean =>
  before !== null && JSON.stringify(before) === JSON.stringify(after);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const noRun = (runId: number) => appError('not_found', `there is no run ${runId}`);

const stillGoing = (): AppError =>
  appError('conflict', 'The run is still running.', {
    mend: 'Wait until it ends, or cancel it; then apply it.',
  });

/** Such as those of a run that was imported from another machine. */
const notHere = (projectPath: string): AppError =>
  appError(
    'not_found',
    `The folders and branches of the run are not on this machine, or its project is no longer in ${projectPath}.`,
    {
      mend: 'If you moved the project, move it back or put a link in its place; else apply it on the machine where it ran.',
    },
  );

const inProject = ({ projectPath }: RunState): AppError =>
  appError('conflict', `The run worked in your own checkout: its changes are already in ${projectPath}.`);

function conflicts(
  { branch, commit }: ShownResult,
  { target, conflicts: found }: { readonly target: string; readonly conflicts: readonly { path: string }[] },
): AppError {
  const files = found.map(({ path }) => path).join(', ');
  return appError(
    'conflict',
    `Nothing was applied: ${found.length === 1 ? 'this file conflicts' : 'these files conflict'} with ${target}: ${files}.`,
    { mend: `Merge it by hand: git merge ${branch ?? commit ?? ''}` },
  );
}

function commitOf(made: MadeMerge): Result<Omit<Extract<MadeMerge, { kind: 'made' }>, 'kind'>> {
  if (made.kind !== 'made') return err(moved(made.moved));
  const { kind: _, ...commit } = made;
  return ok(commit);
}

const moved = (why: string): AppError =>
  appError('run.result_changed', `Nothing was applied. ${why}`, {
    mend: 'Look at the changes again, then apply.',
  });

const changedSince = (): AppError => moved('The result was edited after it was shown.');

/** The result that is meant, of a run that can be applied. */
function chosenIn(state: RunState, step: string | undefined): Result<ShownResult> {
  if (state.status !== 'finished') return err(stillGoing());
  if (state.workspaceMode === 'project') return err(inProject(state));
  const shown = shownResults(state);
  return isElsewhere(state, shown) ? err(notHere(state.projectPath)) : resultToApply(shown, step);
}

const shownResult = (of: {
  readonly commit: string;
  readonly into: string;
  readonly target: string;
}): string => `${of.commit}:${of.into}:${of.target}`;

/** The checkout as it was shown; null if another state of the result was shown. */
function seenIn(shown: string, commit: string): Pick<Rehearsal, 'target' | 'targetCommit'> | null {
  const [result, targetCommit = '', ...target] = shown.split(':');
  return result === commit ? { target: target.join(':'), targetCommit } : null;
}

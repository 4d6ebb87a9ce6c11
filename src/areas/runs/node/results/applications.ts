import type { Rehearsal } from '@areas/changes/contract/merge';
import type { AppError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { shownInstruction } from '@contract/run/lifecycle/run-name';
import type { ApplyHow, ApplyPreview } from '@contract/run/results/apply';
import type { Applied, ApplyOutcome, ShownResult, UndoOutcome } from '@contract/run/results/results';
import { isElsewhere, resultToApply, shownResults } from '@contract/run/results/shown-results';
import type { RunState } from '@contract/run/state';
import type { Engine } from '@main/core/engine/engine';
import type { AppliedNow, ApplyMade, ApplyPort, ApplyToUndo } from '@main/core/ports/workspaces/apply-port';
import type { Merges } from '@main/core/ports/workspaces/merges';
import { applyMessage } from './apply-message';
import {
  changedSince,
  conflicts,
  inProject,
  moved,
  noRun,
  notApplied,
  notHere,
  notUndoable,
  stillGoing,
} from './apply-refusals';

interface ApplicationsParts {
  readonly engine: Pick<Engine, 'command'>;
  readonly merges: Pick<Merges, 'rehearse'> & ApplyPort;
  /** The current state of a run, live or from the log; null if there is none. */
  state(runId: number): RunState | null;
  /** The state of a run; if it has ended, with its results as the operator left the folders. */
  asLeft(runId: number): Promise<Result<RunState>>;
}

export interface ResultWanted {
  readonly runId: number;
  readonly step?: string | undefined;
}

export interface ApplyWish extends ResultWanted {
  readonly by: string;
  /** What was shown (`toApply`). Absent: what is there now is applied. */
  readonly shown?: string | undefined;
  readonly how?: ApplyHow | undefined;
  readonly message?: string | undefined;
}

export interface UndoWish extends ResultWanted {
  readonly by: string;
}

/** A result that can be applied, with what applying it now would do. */
export interface ToApply {
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

type Undo = ApplyToUndo & { readonly applied: Applied };

/** Brings results of finished runs into the operator's checkout, and takes them out again. */
export class Applications {
  readonly #working = new Map<number, Promise<unknown>>();

  constructor(private readonly parts: ApplicationsParts) {}

  /** Resolves when nothing is being applied or undone. */
  async settled(): Promise<void> {
    await Promise.all(this.#working.values());
  }

  apply(wish: ApplyWish): Promise<Result<ApplyOutcome>> {
    return this.#inTurn(wish.runId, () => this.#apply(wish));
  }

  undo(wish: UndoWish): Promise<Result<UndoOutcome>> {
    return this.#inTurn(wish.runId, () => this.#undo(wish));
  }

  /** Serialised per run, so that the same result is not applied twice at the same time. */
  #inTurn<T>(runId: number, work: () => Promise<T>): Promise<T> {
    const before = this.#working.get(runId) ?? Promise.resolve();
    const working = before.then(work);
    const settled = working.catch(() => undefined);
    this.#working.set(runId, settled);
    return working.finally(() => {
      if (this.#working.get(runId) === settled) this.#working.delete(runId);
    });
  }

  /** What applying a result now would do. Fails like `apply`. */
  async toApply(wanted: ResultWanted): Promise<Result<ToApply>> {
    const found = await this.#tried(wanted);
    if (!found.ok) return found;
    const { result, rehearsal } = found.value;
    return rehearsal.conflicts.length > 0 ? err(conflicts(result, rehearsal)) : found;
  }

  async #tried({ runId, step }: ResultWanted): Promise<Result<ToApply>> {
    const found = await this.parts.asLeft(runId);
    if (!found.ok) return found;
    const state = found.value;
    const chosen = chosenIn(state, step);
    if (!chosen.ok) return chosen;
    const { projectPath } = state;
    const { commit, branch } = chosen.value;
    if (commit === null) return fail('not_found', 'The result has no commit to apply.');
    const rehearsal = await this.parts.merges.rehearse({ projectPath, commit });
    if (!rehearsal.ok) return rehearsal;
    const { targetCommit: into, target } = rehearsal.value;
    const shown = shownResult({ commit, into, target });
    const result = chosen.value;
    return ok({ state, result, projectPath, commit, branch, into, rehearsal: rehearsal.value, shown });
  }

  async preview(wanted: ResultWanted): Promise<Result<ApplyPreview>> {
    const found = await this.#tried(wanted);
    if (!found.ok) return found;
    const { projectPath, commit, into, rehearsal, shown } = found.value;
    const outlook = await this.parts.merges.outlook({ projectPath, commit, into });
    if (!outlook.ok) return outlook;
    const { inTheWay, commits, commitCount } = outlook.value;
    const paths = rehearsal.conflicts.map(({ path }) => path);
    return ok({
      shown: paths.length > 0 ? null : shown,
      target: rehearsal.target,
      files: rehearsal.files,
      conflicts: paths,
      inTheWay: [...inTheWay],
      commits: [...commits],
      commitCount,
      message: messageFor(wanted.runId, found.value),
    });
  }

  async #apply(wish: ApplyWish): Promise<Result<ApplyOutcome>> {
    const found = await this.toApply(wish);
    if (!found.ok) return found;
    const { runId, by, shown, how = 'squash' } = wish;
    const { state, result, projectPath, commit, rehearsal, into } = found.value;
    const { workspaceId, applied: done } = result;
    if (done !== null) {
      const how = done.change?.how ?? 'squash';
      return ok({ kind: 'already', result, target: done.target, commit: done.commit, files: 0, how });
    }
    const seen = shown === undefined ? rehearsal : seenIn(shown, commit);
    if (seen === null) return err(changedSince());
    const request = { workspaceId, result: commit };
    // A merge interrupted by a kill is searched from where it began.
    const before = state.applying;
    const cut = before !== null && before.workspaceId === workspaceId && before.result === commit;
    const { target, targetCommit } = cut ? before : seen;
    const outlook = await this.parts.merges.outlook({ projectPath, commit, into });
    if (!outlook.ok) return outlook;
    // After a kill, the staged files can be Muster's own.
    const staged = cut ? before.staged === true : outlook.value.staged;
    if (!cut || before.how !== how) {
      const noted = await this.#request(runId, {
        type: 'run.apply-requested',
        ...{ ...request, target, targetCommit, how, ...(staged && { staged }), by },
      });
      if (!noted.ok) return noted;
    }
    const made = await this.parts.merges.apply({
      projectPath,
      commit,
      how,
      message: wish.message ?? messageFor(runId, found.value),
      id: `${state.uid}/apply-${workspaceId ?? 'run'}-${commit.slice(0, 12)}`,
      rehearsed: { target, targetCommit },
      sign: state.projectSettings?.sign,
    });
    const outcome = made.ok ? madeOf(made.value) : made;
    if (!outcome.ok) {
      await this.#record(runId, { type: 'run.apply-refused', ...request, error: outcome.error });
      return outcome;
    }
    const { commit: madeAs, signed } = outcome.value;
    // What was staged before belongs to the operator, and an undo could not tell it apart.
    const change = staged || (!cut && outcome.value.staged) ? null : outcome.value.change;
    const facts = { target, commit: madeAs, ...(signed && { signed }) };
    const recorded = await this.#record(runId, { type: 'run.applied', ...request, ...facts, change, by });
    if (!recorded.ok) return recorded;
    const now = shownResults(this.parts.state(runId) ?? state).find((one) => one.workspaceId === workspaceId);
    const changed = outcome.value.change;
    return ok({
      kind: changed === null ? 'already' : 'applied',
      result: now ?? result,
      ...facts,
      files: changed === null ? 0 : rehearsal.files,
      how: changed?.how ?? how,
    });
  }

  /** Whether an application can be undone now; a refusal says why not. */
  async undoable(
    wanted: ResultWanted,
  ): Promise<Result<{ target: string; files: number; refusal: AppError | null }>> {
    const found = this.#toUndo(wanted);
    if (!found.ok) return found;
    const { target } = found.value.applied;
    const looked = await this.parts.merges.undoable(found.value);
    if (!looked.ok) return ok({ target, files: 0, refusal: looked.error });
    return ok({ target, files: looked.value.files, refusal: null });
  }

  async #undo(wish: UndoWish): Promise<Result<UndoOutcome>> {
    const found = this.#toUndo(wish);
    if (!found.ok) return found;
    const { runId, by } = wish;
    const { workspaceId, result, target } = found.value.applied;
    const request = { workspaceId, result };
    const noted = await this.#record(runId, { type: 'run.undo-requested', ...request, by });
    if (!noted.ok) return noted;
    const undone = await this.parts.merges.undo(found.value);
    if (!undone.ok) {
      await this.#record(runId, { type: 'run.undo-refused', ...request, error: undone.error });
      return undone;
    }
    const recorded = await this.#record(runId, { type: 'run.undone', ...request, target, by });
    if (!recorded.ok) return recorded;
    const { at, files } = undone.value;
    return ok({ kind: at === 'undone' ? 'already' : 'undone', target, files });
  }

  /** What Apply made last of a result, also if the result was edited since. */
  #toUndo({ runId, step }: ResultWanted): Result<Undo> {
    const state = this.parts.state(runId);
    if (state === null) return err(noRun(runId));
    const of = shownResults(state)
      .filter(({ address }) => address === step)
      .map(({ workspaceId }) => workspaceId);
    const applied = state.applied.findLast(
      ({ workspaceId }) => step === undefined || of.includes(workspaceId),
    );
    if (applied === undefined) return err(notApplied());
    if (applied.change === null) return err(notUndoable());
    const what = `Undo the result of ${state.name}`;
    return ok({ applied, projectPath: state.projectPath, change: applied.change, what });
  }

  /** Requests an effect of a finished run. */
  #request(runId: number, event: RunEvent): Promise<Result<void>> {
    return this.parts.engine.command(runId, (run) =>
      run.state.status === 'finished' ? ok([event]) : err(stillGoing()),
    );
  }

  #record(runId: number, event: RunEvent): Promise<Result<void>> {
    return this.parts.engine.command(runId, () => ok([event]));
  }
}

const messageFor = (runId: number, { state, branch, commit }: ToApply): string =>
  applyMessage({
    runName: state.name,
    instruction: shownInstruction(state),
    runId,
    source: branch ?? commit,
  });

const madeOf = (made: ApplyMade): Result<AppliedNow> =>
  made.kind === 'made' ? ok(made) : err(moved(made.moved));

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

import { err, fail, ok, type Result } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import type { ApplyPreview } from '@contract/run/results/apply';
import type { ApplyOutcome, RunResult, ShownResult, UndoOutcome } from '@contract/run/results/results';
import { shownResults } from '@contract/run/results/shown-results';
import type { RunState } from '@contract/run/state';
import { runOf } from '@main/core/engine/effects/workspace-effects';
import type { Engine } from '@main/core/engine/engine';
import type { Logger } from '@main/core/ports/ports';
import type { Store } from '@main/core/ports/store/store';
import type { ApplyPort } from '@main/core/ports/workspaces/apply-port';
import type { Merges } from '@main/core/ports/workspaces/merges';
import type { ReleasedFolder, WorkspaceEdits } from '@main/core/ports/workspaces/workspace-edits';
import type { MadeWorkspace, Workspaces } from '@main/core/ports/workspaces/workspaces';

import { Applications, type ApplyWish, type ResultWanted, type ToApply, type UndoWish } from './applications';
import { noRun } from './apply-refusals';

interface RunResultsParts {
  readonly engine: Pick<Engine, 'command'>;
  readonly store: Pick<Store, 'runByUid'>;
  readonly workspaces: Pick<WorkspaceEdits, 'release' | 'reattach' | 'worktrees' | 'isInCheckout'> &
    Pick<Workspaces, 'revive'>;
  readonly merges: Pick<Merges, 'rehearse'> & ApplyPort;
  readonly logger: Pick<Logger, 'warn'>;
  /** The current state of a run, live or from the log; null if there is none. */
  state(runId: number): RunState | null;
}

/** Results of finished runs: frees their branches, and applies the work to the operator's checkout. */
export class RunResults {
  readonly #releasing = new Map<number, Promise<Result<void>>>();
  /** Runs that are about to continue: they keep their branches. */
  readonly #goingOn = new Set<number>();
  readonly #applications: Applications;

  constructor(private readonly parts: RunResultsParts) {
    this.#applications = new Applications({ ...parts, asLeft: (runId) => this.#asLeft(runId) });
  }

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
    await Promise.all([...this.#releasing.values(), this.#applications.settled()]);
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

  apply(wish: ApplyWish): Promise<Result<ApplyOutcome>> {
    return this.#applications.apply(wish);
  }

  /** What applying a result now would do. Fails like `apply`. */
  toApply(wanted: ResultWanted): Promise<Result<ToApply>> {
    return this.#applications.toApply(wanted);
  }

  preview(wanted: ResultWanted): Promise<Result<ApplyPreview>> {
    return this.#applications.preview(wanted);
  }

  undo(wish: UndoWish): Promise<Result<UndoOutcome>> {
    return this.#applications.undo(wish);
  }

  undoable(wanted: ResultWanted): ReturnType<Applications['undoable']> {
    return this.#applications.undoable(wanted);
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

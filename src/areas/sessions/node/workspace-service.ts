import type { RecordedChanges } from '@areas/changes/node/recorded-changes';
import type { RunResults } from '@areas/runs/node/results/run-results';
import { type AppError, appError } from '@contract/errors';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { err, ok, type Result } from '@contract/result';
import type { RunEventOf } from '@contract/run/events';
import type { RunState, SessionState } from '@contract/run/state';
import { folderOf, runOf } from '@main/core/engine/effects/workspace-effects';
import type { Engine } from '@main/core/engine/engine';
import type { MergeReads, Merges } from '@main/core/ports/workspaces/merges';
import {
  type FolderEdit,
  type HunksWanted,
  WHOLE_FILE,
  type WorkspaceEdits,
  type WorkspaceHunks,
} from '@main/core/ports/workspaces/workspace-edits';
import {
  branchedFrom,
  ChangeSides,
  noRun,
  noSession,
  noTurn,
  placeOf,
  sessionOf,
  shownChange,
  sidesOf,
} from './change-sides';

type Diff = ProcedureOutput<'workspace.diff'>;

interface WorkspaceServiceParts {
  readonly engine: Pick<Engine, 'all' | 'command'>;
  readonly workspaces: Pick<
    WorkspaceEdits,
    'hunksOf' | 'fileOf' | 'searchIn' | 'revertHunk' | 'undoRevert' | 'restore' | 'holdsTaken'
  >;
  readonly merges: Pick<Merges, 'changes'> & MergeReads;
  readonly changes: Pick<RecordedChanges, 'refresh' | 'edited'>;
  /** The result that would be applied, and what it is merged into. */
  readonly results: Pick<RunResults, 'toApply' | 'reread'>;
  readonly state: (runId: number) => RunState | null;
}

/** What the operator views, marks and undoes of agents' changes in a workspace. */
export class WorkspaceService {
  readonly #sides: ChangeSides;

  constructor(private readonly parts: WorkspaceServiceParts) {
    this.#sides = new ChangeSides(parts);
  }

  async diff({ runId, of, only }: ParsedInput<'workspace.diff'>): Promise<Result<Diff>> {
    const found = await this.#sides.of(runId, of);
    if (!found.ok) return found;
    const { at, edits, branch, recorded } = found.value;
    if (at.kind === 'merge') {
      const merged = await this.parts.merges.changes({ ...at.merge, only });
      if (!merged.ok) return merged;
      const view = viewOf(merged.value);
      return ok({ ...view, ...(at.shown !== null && { shown: at.shown }), branch, edits });
    }
    const read = await this.parts.workspaces.hunksOf({ ...at.wanted, only });
    if (!read.ok) return read;
    const live = at.wanted.to === null;
    const view = { ...viewOf(read.value), live, branch, edits: read.value.alive === true ? edits : null };
    return ok(recorded === null ? view : { ...view, ...recorded });
  }

  async file({
    runId,
    of,
    path,
    as,
  }: ParsedInput<'workspace.file'>): Promise<Result<ProcedureOutput<'workspace.file'>>> {
    const found = await this.#sides.of(runId, of);
    if (!found.ok) return found;
    const { at } = found.value;
    return at.kind === 'merge'
      ? this.parts.merges.fileOf(at.merge, { path, as })
      : this.parts.workspaces.fileOf(at.wanted, { path, as });
  }

  async search({
    runId,
    of,
    text,
  }: ParsedInput<'workspace.search'>): Promise<Result<ProcedureOutput<'workspace.search'>>> {
    const found = await this.#sides.of(runId, of);
    if (!found.ok) return found;
    const { at } = found.value;
    return at.kind === 'merge'
      ? this.parts.merges.searchIn(at.merge, text)
      : this.parts.workspaces.searchIn(at.wanted, text);
  }

  marks({ runId }: ParsedInput<'workspace.marks'>): Result<ProcedureOutput<'workspace.marks'>> {
    const state = this.parts.state(runId);
    if (state === null) return err(noRun(runId));
    return ok({ viewed: Object.keys(state.viewed), hunks: { ...state.hunks } });
  }

  async view({
    runId,
    files,
    viewed,
  }: ParsedInput<'workspace.view'>): Promise<Result<ProcedureOutput<'workspace.view'>>> {
    const noted = await this.parts.engine.command(runId, ({ state }) => {
      const news = files.filter((file) => Object.hasOwn(state.viewed, file) !== viewed);
      return ok(news.length === 0 ? [] : [{ type: 'files.viewed', files: news, viewed, by: 'operator' }]);
    });
    return noted.ok ? ok({}) : noted;
  }

  /**
   * Whether an answer to a gate holds for the changes as they are: with `shown`, if it names them; otherwise, if
   * they are as they were recorded last. A change that the operator edited meanwhile is recorded, so that the next
   * look shows it.
   */
  async confirm(runId: number, gateId: number, shown: readonly string[] | undefined): Promise<Result<void>> {
    const gate = this.parts.state(runId)?.gates[gateId];
    if (gate === undefined || gate.status !== 'open') return ok(undefined);
    const captures = (gate.evidence_parts ?? []).flatMap(({ capture }) => capture ?? []);
    // Later steps get the changes as they are now, also where the gate does not show them.
    if (captures.length === 0 && gate.kind !== 'approval' && gate.changes?.kind !== 'turn')
      return ok(undefined);
    const refreshed = await this.parts.changes.refresh(runId);
    // A folder that cannot be read was shown as such.
    const revised = refreshed.ok ? refreshed.value : [];
    if (shown === undefined)
      return captures.some((id) => revised.includes(id)) ? err(changedSince()) : ok(undefined);
    const state = this.parts.state(runId);
    const recorded = captures.flatMap((id) => state?.captures[id]?.diff ?? []).map(shownChange);
    if (recorded.some((one) => !shown.includes(one))) return err(changedSince());
    if (gate.changes?.kind !== 'turn') return ok(undefined);
    const now = await this.diff({ runId, of: gate.changes });
    return now.ok && !shown.includes(now.value.shown) ? err(changedSince()) : ok(undefined);
  }

  async accept(input: ParsedInput<'workspace.accept'>): Promise<Result<ProcedureOutput<'workspace.accept'>>> {
    const marked = await this.#mark(input, input.accepted ? 'accepted' : 'none');
    return marked.ok ? ok({}) : marked;
  }

  /**
   * The hunk is undone before its mark is committed. The previous state is kept by a ref in the repository,
   * which allows undoing even without the mark, while a mark without its effect would be wrong.
   */
  async reject(input: ParsedInput<'workspace.reject'>): Promise<Result<ProcedureOutput<'workspace.reject'>>> {
    const state = this.parts.state(input.runId);
    if (state === null) return err(noRun(input.runId));
    const session = sessionOf(state, { kind: 'session', sessionId: input.sessionId });
    if (!session.ok) return session;
    const busy = this.#busy(state, session.value);
    if (busy !== null) return err(busy);
    const wanted = await this.#holding(state, session.value, input);
    if (!wanted.ok) return wanted;
    const { path, hunk } = input;
    const reverted = await this.parts.workspaces.revertHunk({
      wanted: wanted.value,
      uid: state.uid,
      path,
      hunk,
    });
    if (!reverted.ok) return reverted;
    const carried = await this.#edited(input.runId, session.value, reverted);
    if (!carried.ok) return carried;
    const still = await this.#still(state, session.value, reverted.value);
    const marked = await this.#mark(input, 'rejected');
    if (marked.ok) return ok({ ...carried.value, ...(still.length === 0 ? {} : { still }) });
    const mend = `The hunk was reverted, but not marked. To restore it, use the snapshot ${reverted.value.undo}.`;
    return err({ ...marked.error, mend });
  }

  async undo(input: ParsedInput<'workspace.undo'>): Promise<Result<ProcedureOutput<'workspace.undo'>>> {
    const at = this.#free(input);
    if (!at.ok) return at;
    const { place, uid, session } = at.value;
    const done = await this.parts.workspaces.undoRevert(place, { uid, undo: input.undo });
    return this.#edited(input.runId, session, done);
  }

  async restore(
    input: ParsedInput<'workspace.restore'>,
  ): Promise<Result<ProcedureOutput<'workspace.restore'>>> {
    const at = this.#free(input);
    if (!at.ok) return at;
    const { place, uid, session } = at.value;
    const done = await this.parts.workspaces.restore(place, { uid, snapshot: input.snapshot });
    return this.#edited(input.runId, session, done);
  }

  /**
   * The branches made from the folder before that still have the lines: what someone works on there is not changed
   * from here, so the operator is told.
   */
  async #still(state: RunState, { workspaceId }: SessionState, edit: FolderEdit): Promise<string[]> {
    const copies = branchedFrom(state, folderOf(state, workspaceId));
    const held = copies.map(async ({ path, branch }) => {
      const place = { path, run: runOf(state) };
      return (await this.parts.workspaces.holdsTaken(place, edit)) === false ? [] : [branch ?? path];
    });
    return (await Promise.all(held)).flat();
  }

  /** Records the edit in every change of the folder. */
  async #edited(
    runId: number,
    { workspaceId }: SessionState,
    done: Result<FolderEdit>,
  ): Promise<Result<{ undo: string }>> {
    if (!done.ok) return done;
    const { undo, ...edit } = done.value;
    const noted = await this.parts.changes.edited(runId, workspaceId, edit);
    const ended = this.parts.state(runId)?.status === 'finished';
    const freed = noted.ok && ended ? await this.parts.results.reread(runId) : noted;
    if (freed.ok) return ok({ undo });
    const mend = `The folder was changed, but this was not recorded. To take it back, use the snapshot ${undo}.`;
    return err({ ...freed.error, mend });
  }

  /** The folder of a session in which no one is working now. */
  #free({ runId, sessionId }: { readonly runId: number; readonly sessionId: number }): Result<{
    readonly place: HunksWanted['place'];
    readonly uid: string;
    readonly session: SessionState;
  }> {
    const state = this.parts.state(runId);
    if (state === null) return err(noRun(runId));
    const session = sessionOf(state, { kind: 'session', sessionId });
    if (!session.ok) return session;
    const busy = this.#busy(state, session.value);
    return busy === null
      ? ok({ place: placeOf(state, session.value), uid: state.uid, session: session.value })
      : err(busy);
  }

  /** The diff that contains this hunk: its turn's, else its session's, else the whole workspace's. */
  async #holding(
    state: RunState,
    session: SessionState,
    { turnId, path, hunk }: ParsedInput<'workspace.reject'>,
  ): Promise<Result<HunksWanted>> {
    const sessionId = session.id;
    if (turnId !== null) {
      const turn = sessionOf(state, { kind: 'turn', turnId });
      if (!turn.ok) return turn;
      if (turn.value.id !== sessionId) return err(noTurn(turnId));
      return sidesOf(state, session, { kind: 'turn', turnId });
    }
    const ofSession = sidesOf(state, session, { kind: 'session', sessionId });
    if (ofSession.ok) {
      const found = await this.parts.workspaces.hunksOf(ofSession.value);
      if (found.ok && hasHunk(found.value, path, hunk)) return ofSession;
    }
    return sidesOf(state, session, { kind: 'workspace', sessionId });
  }

  /**
   * A folder must not change while something works in it; in the project, that may be part of another run.
   */
  #busy(state: RunState, session: SessionState): AppError | null {
    const folder = folderOf(state, session.workspaceId);
    const states = [...this.parts.engine.all()].map((run) => run.state);
    for (const other of states.some(({ uid }) => uid === state.uid) ? states : [...states, state]) {
      const turn = Object.values(other.turns).find(
        ({ status, sessionId }) =>
          status === 'in_flight' &&
          folderOf(other, other.sessions[sessionId]?.workspaceId ?? null) === folder,
      );
      const where = other.uid === state.uid ? '' : ` of the run ${other.name}`;
      const command = Object.values(other.commands).find(
        ({ status, workspaceId }) => status === 'running' && folderOf(other, workspaceId) === folder,
      );
      if (turn === undefined && command === undefined) continue;
      if (turn === undefined)
        return appError('conflict', `A command runs in this folder: command ${command?.id}${where}.`, {
          mend: 'Wait until it ends, or cancel the run.',
        });
      return appError('conflict', `An agent works in this folder: turn ${turn.id}${where}.`, {
        mend: 'Wait until the turn ends, or cancel it.',
      });
    }
    return null;
  }

  #mark(
    { runId, sessionId, turnId, path, hunk }: ParsedInput<'workspace.reject'>,
    mark: RunEventOf<'hunk.marked'>['mark'],
  ): Promise<Result<void>> {
    return this.parts.engine.command(runId, ({ state }) => {
      if (state.sessions[sessionId] === undefined) return err(noSession(sessionId));
      if (turnId !== null && state.turns[turnId]?.sessionId !== sessionId) return err(noTurn(turnId));
      return ok([{ type: 'hunk.marked', sessionId, turnId, path, hunk, mark, by: 'operator' }]);
    });
  }
}

const viewOf = ({ files, root, from, to }: WorkspaceHunks): Diff => ({
  files: [...files],
  shown: shownChange({ from, to }),
  live: false,
  path: root,
  branch: null,
  file: null,
  notes: [],
  unread: null,
  edits: null,
});

const changedSince = () =>
  appError('gate.changed', 'The changes were edited after they were shown, so this answer was not taken.', {
    mend: 'Look at the changes again, then answer.',
  });

const hasHunk = ({ files }: WorkspaceHunks, path: string, hunk: string): boolean =>
  files.some(
    (file) => file.path === path && (hunk === WHOLE_FILE || file.hunks.some(({ id }) => id === hunk)),
  );

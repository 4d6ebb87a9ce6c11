import { type SnapshotMoment, type TakenDiff, turnSnapshot } from '@areas/changes/contract/changes';
import type { DiffScope } from '@areas/changes/contract/diff-scope';
import { isLastIn, type RecordedChanges } from '@areas/changes/node/recorded-changes';
import type { RunResults } from '@areas/runs/node/results/run-results';
import { type AppError, appError } from '@contract/errors';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { err, fail, ok, type Result } from '@contract/result';
import type { RunEventOf } from '@contract/run/events';
import { triedMerge } from '@contract/run/features/feature-answers';
import type { RunState, SessionState, TurnState } from '@contract/run/state';
import { folderOf, runOf } from '@main/core/engine/effects/workspace-effects';
import type { Engine } from '@main/core/engine/engine';
import type { Merges } from '@main/core/ports/workspaces/merges';
import type {
  FolderEdit,
  HunksWanted,
  WorkspaceEdits,
  WorkspaceHunks,
} from '@main/core/ports/workspaces/workspace-edits';

type Diff = ProcedureOutput<'workspace.diff'>;

interface WorkspaceServiceParts {
  readonly engine: Pick<Engine, 'all' | 'command'>;
  readonly workspaces: Pick<
    WorkspaceEdits,
    'hunksOf' | 'revertHunk' | 'undoRevert' | 'restore' | 'holdsTaken'
  >;
  readonly merges: Pick<Merges, 'changes'>;
  readonly changes: Pick<RecordedChanges, 'refresh' | 'edited'>;
  /** The result that would be applied, and what it is merged into. */
  readonly results: Pick<RunResults, 'toApply' | 'reread'>;
  readonly state: (runId: number) => RunState | null;
}

/** What the operator views, marks and undoes of agents' changes in a workspace. */
export class WorkspaceService {
  constructor(private readonly parts: WorkspaceServiceParts) {}

  async diff({ runId, of, only }: ParsedInput<'workspace.diff'>): Promise<Result<Diff>> {
    const state = this.parts.state(runId);
    if (state === null) return err(noRun(runId));
    if (of.kind === 'merge') return this.#merge(state, of, only);
    if (of.kind === 'result') return this.#result(runId, of.step, only);
    if (of.kind === 'capture') return this.#recorded(runId, of.captureId, only);
    const session = sessionOf(state, of);
    if (!session.ok) return session;
    const wanted = sidesOf(state, session.value, of);
    if (!wanted.ok) return wanted;
    const found = await this.parts.workspaces.hunksOf({ ...wanted.value, only });
    if (!found.ok) return found;
    const { workspaceId } = session.value;
    const live = wanted.value.to === null;
    return ok({ ...viewOf(found.value), live, branch: branchIn(state, workspaceId) });
  }

  /** A recorded change as the operator left it. */
  async #recorded(runId: number, captureId: number, only: string | undefined): Promise<Result<Diff>> {
    const read = await this.parts.changes.refresh(runId, [captureId]);
    const state = this.parts.state(runId);
    const capture = state?.captures[captureId];
    if (state == null || capture === undefined || capture.status === 'running')
      return fail('not_found', `there is no change ${captureId} in this run`);
    if (capture.error !== null) return err(capture.error);
    if (capture.diff === null)
      return fail('not_found', 'The folder is not a git repository, so its changes are unknown.');
    const { workspaceId, diff } = capture;
    const side = (commit: string) => ({ snapshots: [], commit, orEmpty: false });
    const place = placeIn(state, workspaceId);
    const found = await this.parts.workspaces.hunksOf({
      place,
      from: side(diff.from),
      to: side(diff.to),
      only,
    });
    if (!found.ok) return found;
    const unread = read.ok ? null : [read.error.message, read.error.mend ?? ''].join(' ').trim();
    const view = {
      ...viewOf(found.value),
      shown: shownChange(diff),
      unread,
      file: diff.path,
      notes: [...capture.notes],
    };
    return ok({ ...view, branch: branchIn(state, workspaceId) });
  }

  /** What applying a result would change in the checkout. */
  async #result(runId: number, step: string | undefined, only: string | undefined): Promise<Result<Diff>> {
    const wanted = await this.parts.results.toApply({ runId, step });
    if (!wanted.ok) return wanted;
    const { projectPath, into, commit, branch, shown } = wanted.value;
    const found = await this.parts.merges.changes({ projectPath, into, commit, only });
    return found.ok ? ok({ ...viewOf(found.value), shown, branch }) : found;
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

  /** The changes of a member's merge: as rehearsed, or as made. */
  async #merge(
    state: RunState,
    { activationId, mergeId }: Extract<DiffScope, { kind: 'merge' }>,
    only: string | undefined,
  ): Promise<Result<Diff>> {
    const tried = triedMerge(state, activationId, mergeId);
    if (tried === null) return fail('not_found', `merge ${mergeId} of this step was not tried yet`);
    const { branch, into, commit } = tried;
    const found = await this.parts.merges.changes({ projectPath: state.projectPath, into, commit, only });
    return found.ok ? ok({ ...viewOf(found.value), branch }) : found;
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

const noRun = (id: number) => appError('not_found', `there is no run ${id}`);
const noSession = (id: number) => appError('not_found', `there is no session ${id} in this run`);
const noTurn = (id: number) => appError('not_found', `there is no turn ${id} in this session`);

/** Identifies a recorded change exactly. */
const shownChange = ({ from, to }: Pick<TakenDiff, 'from' | 'to'>): string => `${from}..${to}`;

const viewOf = ({ files, root, from, to }: WorkspaceHunks): Diff => ({
  files: [...files],
  shown: shownChange({ from, to }),
  live: false,
  path: root,
  branch: null,
  file: null,
  notes: [],
  unread: null,
});

const branchIn = (state: RunState, workspaceId: number | null): string | null =>
  (workspaceId === null ? state.workspace?.branch : state.workspaces[workspaceId]?.branch) ?? null;

const changedSince = () =>
  appError('gate.changed', 'The changes were edited after they were shown, so this answer was not taken.', {
    mend: 'Look at the changes again, then answer.',
  });

const hasHunk = ({ files }: WorkspaceHunks, path: string, hunk: string): boolean =>
  files.some((file) => file.path === path && file.hunks.some(({ id }) => id === hunk));

type InSession = Exclude<DiffScope, { kind: 'merge' | 'capture' | 'result' }>;

/** Folders that were made from another one, or from such a one. */
function branchedFrom(state: RunState, folder: string): { path: string; branch: string | null }[] {
  return Object.values(state.workspaces).flatMap(({ from, path, branch }) => {
    if (path === null || path === folder) return [];
    for (let at = from; folderOf(state, at) !== folder; at = state.workspaces[at]?.from ?? null)
      if (at === null) return [];
    return [{ path, branch }];
  });
}

function sessionOf(state: RunState, of: InSession): Result<SessionState> {
  const turn = of.kind === 'turn' ? state.turns[of.turnId] : undefined;
  if (of.kind === 'turn' && turn === undefined)
    return fail('not_found', `there is no turn ${of.turnId} in this run`);
  const id = of.kind === 'turn' ? (turn?.sessionId ?? 0) : of.sessionId;
  const session = state.sessions[id];
  return session === undefined ? err(noSession(id)) : ok(session);
}

const placeOf = (state: RunState, session: SessionState): HunksWanted['place'] =>
  placeIn(state, session.workspaceId);

const placeIn = (state: RunState, workspaceId: number | null): HunksWanted['place'] => ({
  path: folderOf(state, workspaceId),
  run: { mode: state.workspaceMode, projectPath: state.projectPath, artifactsDir: state.artifactsDir },
});

/** The two states that a diff compares. */
function sidesOf(state: RunState, session: SessionState, of: InSession): Result<HunksWanted> {
  const place = placeOf(state, session);
  if (of.kind === 'workspace') {
    const made = session.workspaceId === null ? state.workspace : state.workspaces[session.workspaceId];
    const commit = made?.baseCommit ?? null;
    // Only a run's plain folder begins empty.
    const orEmpty = state.workspaceMode === 'folder' && commit === null;
    return ok({ place, from: { snapshots: [], commit, orEmpty }, to: null });
  }
  const turns = of.kind === 'turn' ? [state.turns[of.turnId]] : session.turnIds.map((id) => state.turns[id]);
  const known = turns.filter((turn) => turn !== undefined);
  const last = known.at(-1);
  if (last === undefined) return fail('not_found', `session ${session.id} has had no turn yet`);
  const side = (moment: SnapshotMoment, among: readonly TurnState[]) => ({
    snapshots: among.map((turn) => turnSnapshot(state.uid, turn.id, moment)),
    commit: among.find((turn) => turn.changes !== null)?.changes?.[moment] ?? null,
    orEmpty: false,
  });
  const from = side('before', known);
  const asLeft = of.kind === 'turn' && of.asLeft === true && isLastIn(state, session.workspaceId, last.id);
  if (asLeft || last.status === 'in_flight') return ok({ place, from, to: null });
  if (last.status !== 'interrupted') return ok({ place, from, to: side('after', [...known].reverse()) });
  // An interrupted turn's changes were there until the next turn began in the same folder.
  const next = Object.values(state.turns).find(
    (turn) => turn.id > last.id && state.sessions[turn.sessionId]?.workspaceId === session.workspaceId,
  );
  return ok({ place, from, to: next === undefined ? null : side('before', [next]) });
}

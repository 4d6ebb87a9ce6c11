import { type AppError, appError } from '@contract/errors';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { err, fail, ok, type Result } from '@contract/result';
import type { RunEventOf } from '@contract/run/events';
import { triedMerge } from '@contract/run/features/feature-answers';
import type { RunState, SessionState, TurnState } from '@contract/run/state';
import { type SnapshotMoment, turnSnapshot } from '@contract/workspace/changes';
import type { DiffScope } from '@contract/workspace/diff-scope';
import { folderOf } from '../../core/engine/effects/workspace-effects';
import type { Engine } from '../../core/engine/engine';
import type { Merges } from '../../core/ports/workspaces/merges';
import type {
  HunksWanted,
  WorkspaceEdits,
  WorkspaceHunks,
} from '../../core/ports/workspaces/workspace-edits';

export interface WorkspaceServiceParts {
  readonly engine: Pick<Engine, 'all' | 'command'>;
  readonly workspaces: Pick<WorkspaceEdits, 'hunksOf' | 'revertHunk' | 'undoRevert' | 'restore'>;
  readonly merges: Pick<Merges, 'changes'>;
  readonly state: (runId: number) => RunState | null;
}

/** What the operator views, marks and undoes of agents' changes in a workspace. */
export class WorkspaceService {
  constructor(private readonly parts: WorkspaceServiceParts) {}

  async diff({
    runId,
    of,
  }: ParsedInput<'workspace.diff'>): Promise<Result<ProcedureOutput<'workspace.diff'>>> {
    const state = this.parts.state(runId);
    if (state === null) return err(noRun(runId));
    if (of.kind === 'merge') return this.#merge(state, of);
    const session = sessionOf(state, of);
    if (!session.ok) return session;
    const wanted = sidesOf(state, session.value, of);
    if (!wanted.ok) return wanted;
    const found = await this.parts.workspaces.hunksOf(wanted.value);
    if (!found.ok) return found;
    const { files, truncated, root } = found.value;
    const { workspaceId } = session.value;
    const branch = workspaceId === null ? state.workspace?.branch : state.workspaces[workspaceId]?.branch;
    const live = wanted.value.to === null;
    return ok({ files: [...files], truncated, live, path: root, branch: branch ?? null, file: null });
  }

  /** The changes of a member's merge: as rehearsed, or as made. */
  async #merge(
    state: RunState,
    { activationId, mergeId }: Extract<DiffScope, { kind: 'merge' }>,
  ): Promise<Result<ProcedureOutput<'workspace.diff'>>> {
    const tried = triedMerge(state, activationId, mergeId);
    if (tried === null) return fail('not_found', `merge ${mergeId} of this step was not tried yet`);
    const { branch, into, commit } = tried;
    const found = await this.parts.merges.changes({ projectPath: state.projectPath, into, commit });
    if (!found.ok) return found;
    const { root: path, files, truncated } = found.value;
    return ok({ files: [...files], truncated, live: false, path, branch, file: null });
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
    const marked = await this.#mark(input, 'rejected');
    if (marked.ok) return reverted;
    const mend = `The hunk was reverted, but not marked. To restore it, use the snapshot ${reverted.value.undo}.`;
    return err({ ...marked.error, mend });
  }

  async undo(input: ParsedInput<'workspace.undo'>): Promise<Result<ProcedureOutput<'workspace.undo'>>> {
    const at = this.#free(input);
    if (!at.ok) return at;
    return this.parts.workspaces.undoRevert(at.value.place, { uid: at.value.uid, undo: input.undo });
  }

  async restore(
    input: ParsedInput<'workspace.restore'>,
  ): Promise<Result<ProcedureOutput<'workspace.restore'>>> {
    const at = this.#free(input);
    if (!at.ok) return at;
    return this.parts.workspaces.restore(at.value.place, { uid: at.value.uid, snapshot: input.snapshot });
  }

  /** The folder of a session in which no one is working now. */
  #free({ runId, sessionId }: { readonly runId: number; readonly sessionId: number }): Result<{
    readonly place: HunksWanted['place'];
    readonly uid: string;
  }> {
    const state = this.parts.state(runId);
    if (state === null) return err(noRun(runId));
    const session = sessionOf(state, { kind: 'session', sessionId });
    if (!session.ok) return session;
    const busy = this.#busy(state, session.value);
    return busy === null ? ok({ place: placeOf(state, session.value), uid: state.uid }) : err(busy);
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

const hasHunk = ({ files }: WorkspaceHunks, path: string, hunk: string): boolean =>
  files.some((file) => file.path === path && file.hunks.some(({ id }) => id === hunk));

type InSession = Exclude<DiffScope, { kind: 'merge' }>;

function sessionOf(state: RunState, of: InSession): Result<SessionState> {
  const turn = of.kind === 'turn' ? state.turns[of.turnId] : undefined;
  if (of.kind === 'turn' && turn === undefined)
    return fail('not_found', `there is no turn ${of.turnId} in this run`);
  const id = of.kind === 'turn' ? (turn?.sessionId ?? 0) : of.sessionId;
  const session = state.sessions[id];
  return session === undefined ? err(noSession(id)) : ok(session);
}

const placeOf = (state: RunState, session: SessionState): HunksWanted['place'] => ({
  path: folderOf(state, session.workspaceId),
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
  if (last.status === 'in_flight') return ok({ place, from, to: null });
  if (last.status !== 'interrupted') return ok({ place, from, to: side('after', [...known].reverse()) });
  // An interrupted turn's changes were there until the next turn began in the same folder.
  const next = Object.values(state.turns).find(
    (turn) => turn.id > last.id && state.sessions[turn.sessionId]?.workspaceId === session.workspaceId,
  );
  return ok({ place, from, to: next === undefined ? null : side('before', [next]) });
}

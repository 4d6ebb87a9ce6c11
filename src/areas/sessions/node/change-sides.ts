import { type SnapshotMoment, type TakenDiff, turnSnapshot } from '@areas/changes/contract/changes';
import type { DiffScope } from '@areas/changes/contract/diff-scope';
import type { WorkspaceDiffView } from '@areas/changes/contract/procedures';
import { isLastIn, type RecordedChanges } from '@areas/changes/node/recorded-changes';
import type { RunResults } from '@areas/runs/node/results/run-results';
import { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import { triedMerge } from '@contract/run/features/feature-answers';
import type { CaptureState, RunState, SessionState, TurnState } from '@contract/run/state';
import { folderOf } from '@main/core/engine/effects/workspace-effects';
import type { MergeInto } from '@main/core/ports/workspaces/merges';
import type { HunksWanted } from '@main/core/ports/workspaces/workspace-edits';

interface ChangeSidesParts {
  readonly changes: Pick<RecordedChanges, 'refresh'>;
  /** The result that would be applied, and what it is merged into. */
  readonly results: Pick<RunResults, 'toApply'>;
  readonly state: (runId: number) => RunState | null;
}

/** The two states of a change, and where its hunks can be taken back. */
interface FoundSides {
  readonly at:
    | { readonly kind: 'folder'; readonly wanted: HunksWanted }
    | { readonly kind: 'merge'; readonly merge: MergeInto; readonly shown: string | null };
  readonly edits: WorkspaceDiffView['edits'];
  readonly branch: string | null;
  /** What is known of a recorded change besides its hunks. */
  readonly recorded: Pick<WorkspaceDiffView, 'shown' | 'unread' | 'file' | 'notes' | 'live'> | null;
}

/** Finds the two states that a scope of changes compares. */
export class ChangeSides {
  constructor(private readonly parts: ChangeSidesParts) {}

  async of(runId: number, of: DiffScope): Promise<Result<FoundSides>> {
    const state = this.parts.state(runId);
    if (state === null) return err(noRun(runId));
    if (of.kind === 'merge') return mergeSides(state, of);
    if (of.kind === 'result') return this.#result(runId, of.step);
    if (of.kind === 'capture') return this.#recorded(runId, of.captureId);
    const session = sessionOf(state, of);
    if (!session.ok) return session;
    const wanted = sidesOf(state, session.value, of);
    if (!wanted.ok) return wanted;
    const { id: sessionId, workspaceId } = session.value;
    const edits = { sessionId, turnId: of.kind === 'turn' ? of.turnId : null };
    const at = { kind: 'folder', wanted: wanted.value } as const;
    return ok({ at, edits, branch: branchIn(state, workspaceId), recorded: null });
  }

  /** A recorded change as the operator left it. */
  async #recorded(runId: number, captureId: number): Promise<Result<FoundSides>> {
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
    const unread = read.ok ? null : [read.error.message, read.error.mend ?? ''].join(' ').trim();
    const shown = shownChange(diff);
    return ok({
      at: { kind: 'folder', wanted: { place, from: side(diff.from), to: side(diff.to) } },
      edits: read.ok ? editsOf(state, capture) : null,
      branch: branchIn(state, workspaceId),
      recorded: { shown, unread, file: diff.path, notes: [...capture.notes], live: false },
    });
  }

  /** What applying a result would change in the checkout. */
  async #result(runId: number, step: string | undefined): Promise<Result<FoundSides>> {
    const wanted = await this.parts.results.toApply({ runId, step });
    if (!wanted.ok) return wanted;
    const { state, result, projectPath, into, commit, branch, shown } = wanted.value;
    const session = lastSessionIn(state, result.workspaceId);
    return ok({
      at: { kind: 'merge', merge: { projectPath, into, commit }, shown },
      edits: session === null ? null : { sessionId: session.id, turnId: null },
      branch,
      recorded: null,
    });
  }
}

/** The changes of a member's merge: as rehearsed, or as made. */
function mergeSides(
  state: RunState,
  { activationId, mergeId }: Extract<DiffScope, { kind: 'merge' }>,
): Result<FoundSides> {
  const tried = triedMerge(state, activationId, mergeId);
  if (tried === null) return fail('not_found', `merge ${mergeId} of this step was not tried yet`);
  const { branch, into, commit } = tried;
  const merge = { projectPath: state.projectPath, into, commit };
  return ok({ at: { kind: 'merge', merge, shown: null }, edits: null, branch, recorded: null });
}

/** A recorded change is edited through the session that made it, unless something else worked there since. */
function editsOf(state: RunState, { workspaceId, toTurn }: CaptureState): FoundSides['edits'] {
  const turn = state.turns[toTurn ?? 0];
  const session = turn === undefined ? lastSessionIn(state, workspaceId) : state.sessions[turn.sessionId];
  return session == null ? null : { sessionId: session.id, turnId: null };
}

function lastSessionIn(state: RunState, workspaceId: number | null): SessionState | null {
  const folder = folderOf(state, workspaceId);
  const found = Object.values(state.sessions).findLast(
    (session) => folderOf(state, session.workspaceId) === folder && session.turnIds.length > 0,
  );
  return found ?? null;
}

export const noRun = (id: number) => appError('not_found', `there is no run ${id}`);
export const noSession = (id: number) => appError('not_found', `there is no session ${id} in this run`);
export const noTurn = (id: number) => appError('not_found', `there is no turn ${id} in this session`);

/** Identifies a recorded change exactly. */
export const shownChange = ({ from, to }: Pick<TakenDiff, 'from' | 'to'>): string => `${from}..${to}`;

const branchIn = (state: RunState, workspaceId: number | null): string | null =>
  (workspaceId === null ? state.workspace?.branch : state.workspaces[workspaceId]?.branch) ?? null;

type InSession = Exclude<DiffScope, { kind: 'merge' | 'capture' | 'result' }>;

/** Folders that were made from another one, or from such a one. */
export function branchedFrom(state: RunState, folder: string): { path: string; branch: string | null }[] {
  return Object.values(state.workspaces).flatMap(({ from, path, branch }) => {
    if (path === null || path === folder) return [];
    for (let at = from; folderOf(state, at) !== folder; at = state.workspaces[at]?.from ?? null)
      if (at === null) return [];
    return [{ path, branch }];
  });
}

export function sessionOf(state: RunState, of: InSession): Result<SessionState> {
  const turn = of.kind === 'turn' ? state.turns[of.turnId] : undefined;
  if (of.kind === 'turn' && turn === undefined)
    return fail('not_found', `there is no turn ${of.turnId} in this run`);
  const id = of.kind === 'turn' ? (turn?.sessionId ?? 0) : of.sessionId;
  const session = state.sessions[id];
  return session === undefined ? err(noSession(id)) : ok(session);
}

export const placeOf = (state: RunState, session: SessionState): HunksWanted['place'] =>
  placeIn(state, session.workspaceId);

const placeIn = (state: RunState, workspaceId: number | null): HunksWanted['place'] => ({
  path: folderOf(state, workspaceId),
  run: { mode: state.workspaceMode, projectPath: state.projectPath, artifactsDir: state.artifactsDir },
});

/** The two states that a diff compares. */
export function sidesOf(state: RunState, session: SessionState, of: InSession): Result<HunksWanted> {
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

import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import { heldToReading } from '@areas/agents/contract/permission-capabilities';
import { type TurnChanges, turnSnapshot } from '@areas/changes/contract/changes';
import { worktreeSetup } from '@areas/projects/contract/project-settings';
import { type AppError, appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { RunState, SessionState, WorkspaceState } from '@contract/run/state';
import { mayOnlyRead } from '@contract/run/status';
import type { HostedPlace } from '../../ports/workspaces/hosted-place';
import { branchOf, folderName } from '../../ports/workspaces/workspace-names';
import type {
  DiffWanted,
  MadeWorkspace,
  SnapshotPlace,
  WorkspaceRun,
} from '../../ports/workspaces/workspaces';
import type { EffectParts } from '../base/effect-parts';
import type { LiveRun } from '../base/live-run';
import { withWholeDiff } from './whole-diff';

/** The parts of a run that workspaces need. */
export const runOf = ({
  uid,
  workflowName,
  definition,
  projectSettings,
  workspaceMode,
  projectPath,
  artifactsDir,
  again,
}: RunState): WorkspaceRun => ({
  uid,
  name: workflowName,
  mode: workspaceMode,
  projectPath,
  artifactsDir,
  ...worktreeSetup(projectSettings, definition.worktree),
  ...(again?.folder == null ? {} : { begins: again.folder }),
});

/** The folder of a workspace; null is the run's own. */
export const folderOf = (state: RunState, workspaceId: number | null): string =>
  (workspaceId === null ? null : state.workspaces[workspaceId]?.path) ??
  state.workspace?.path ??
  state.projectPath;

export const placeOf = (state: RunState, path: string): SnapshotPlace => ({ path, run: runOf(state) });

/** Where a program of a run works: its folder, and for a run with a host the host that has the folder's state. */
export function workplaceOf(
  state: RunState,
  workspaceId: number | null,
): { readonly cwd: string; readonly hosted?: HostedPlace } {
  const cwd = folderOf(state, workspaceId);
  const { host } = state.definition;
  if (host === undefined) return { cwd };
  const run = runOf(state);
  return { cwd, hosted: { host, uid: state.uid, place: { path: cwd, run }, setup: run.setup } };
}

/** Aborts the making once the run is cancelled. */
async function whileWanted<T>(run: LiveRun, make: (unwanted: Promise<void>) => Promise<T>): Promise<T> {
  let giveUp: () => void = () => undefined;
  const unwanted = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  run.making.add(giveUp);
  try {
    return await make(unwanted);
  } finally {
    run.making.delete(giveUp);
  }
}

/** Ends a folder creation that the core's death interrupted, in a cancelled run; null for other events. */
export function folderGivenUp(event: RunEvent): RunEvent | null {
  const error = appError('cancelled', 'The run was cancelled before its working folder was created.');
  switch (event.type) {
    case 'run.workspace-requested':
      return { type: 'run.workspace-failed', error };
    case 'workspace.requested':
      return { type: 'workspace.failed', workspaceId: event.workspaceId, error };
    default:
      return null;
  }
}

/** Creates the run's own working folder. */
export async function prepareWorkspace(parts: EffectParts, run: LiveRun): Promise<void> {
  const made = await whileWanted(run, (unwanted) =>
    parts.workspaces.prepare({ ...runOf(run.state), unwanted }),
  );
  const event: RunEvent = made.ok
    ? { type: 'run.workspace-ready', ...written(made.value) }
    : { type: 'run.workspace-failed', error: made.error };
  await parts.engine.report(run, [event]);
}

const written = ({ notes, ...made }: MadeWorkspace) => ({
  ...made,
  ...(notes === undefined || notes.length === 0 ? {} : { notes: [...notes] }),
});

/** Creates the working folder of an activation, or of one of its agents. */
export async function branchWorkspace(parts: EffectParts, run: LiveRun, workspaceId: number): Promise<void> {
  const made = await whileWanted(run, (unwanted) => branch({ parts, unwanted }, run.state, workspaceId));
  const event: RunEvent = made.ok
    ? { type: 'workspace.ready', workspaceId, ...written(made.value) }
    : { type: 'workspace.failed', workspaceId, error: made.error };
  await parts.engine.report(run, [event]);
}

async function branch(
  { parts, unwanted }: { readonly parts: EffectParts; readonly unwanted: Promise<void> },
  state: RunState,
  workspaceId: number,
): Promise<Result<MadeWorkspace>> {
  const wanted = state.workspaces[workspaceId];
  const activation = state.activations[wanted?.activationId ?? 0];
  if (wanted === undefined || activation === undefined)
    return fail('internal', `there is no workspace ${workspaceId}`);
  return parts.workspaces.branch(
    { ...runOf(state), unwanted },
    { key: keyOf(activation, wanted), from: folderOf(state, wanted.from) },
  );
}

/** The name of a workspace within its run. */
function keyOf(
  { stepId }: { readonly stepId: string },
  { id, lane, scope }: Pick<WorkspaceState, 'id' | 'lane' | 'scope'>,
): string {
  const words = [scope ?? stepId, String(id), ...(lane === null ? [] : [lane])];
  return words.join('-').replace(/[^A-Za-z0-9]+/g, '-');
}

/** Branches of worktrees that were requested but never ready, so no agent has worked in them. */
export function unfinishedBranches(state: RunState): string[] {
  if (state.workspaceMode !== 'worktree') return [];
  const others = Object.values(state.workspaces).flatMap((workspace) => {
    const activation = state.activations[workspace.activationId];
    return workspace.path !== null || activation === undefined ? [] : [keyOf(activation, workspace)];
  });
  const keys = [...(state.workspace === null ? [null] : []), ...others];
  return keys.map((key) => branchOf(folderName(state, key)));
}

/**
 * Agents that cannot change files need no snapshots. Agents that are read-only only by their profile get them
 * all the same, and so do reading team members.
 */
export const changesFiles = (state: RunState, session: SessionState | undefined): session is SessionState => {
  const profile = ownValue(state.profiles, session?.profileId ?? '');
  if (profile === undefined || !capabilitiesOf(profile).changesFiles || session?.cwd == null) return false;
  return !heldToReading(profile) || mayOnlyRead(state, session.id);
};

/** Whether another turn was in flight in the same folder at any time during a turn. */
function isShared({ turns, sessions }: RunState, turnId: number): boolean {
  const turn = turns[turnId];
  const cwd = sessions[turn?.sessionId ?? 0]?.cwd;
  return Object.values(turns).some(
    (other) =>
      other.id !== turnId &&
      sessions[other.sessionId]?.cwd === cwd &&
      (other.finishedAt ?? Number.POSITIVE_INFINITY) > (turn?.startedAt ?? 0),
  );
}

/** Saves a session's folder as a snapshot named after the turn; null if there is nothing to save. */
export async function keepSnapshot(
  parts: EffectParts,
  run: LiveRun,
  about: { readonly sessionId: number; readonly turnId: number; readonly moment: 'before' | 'after' },
): Promise<Result<string | null>> {
  const { state } = run;
  const session = state.sessions[about.sessionId];
  if (!changesFiles(state, session) || session.cwd === null) return ok(null);
  const name = turnSnapshot(state.uid, about.turnId, about.moment);
  const snapshot = await parts.workspaces.snapshot(placeOf(state, session.cwd), name);
  if (!snapshot.ok)
    parts.logger.warn('a workspace could not be kept', {
      runId: run.runId,
      name,
      why: snapshot.error.message,
    });
  return snapshot;
}

/**
 * Repairs a worktree, or recreates a deleted one from its branch and last snapshot. Returns the notice for the
 * operator; null if the worktree is as it should be.
 */
export async function folderAgain(
  { workspaces }: Pick<EffectParts, 'workspaces'>,
  { state }: Pick<LiveRun, 'state'>,
  workspaceId: number | null,
): Promise<Result<string | null>> {
  const made = workspaceId === null ? state.workspace : state.workspaces[workspaceId];
  const branch = made?.branch ?? null;
  if (state.workspaceMode !== 'worktree' || branch === null) return ok(null);
  const revived = await workspaces.revive(runOf(state), [branch]);
  if (revived.ok) return ok(revived.value.length === 0 ? null : MADE_AGAIN);
  if (revived.error.code === 'workspace.unreadable') return revived;
  const message = `The folder ${made?.path ?? ''} is gone and could not be recreated: ${revived.error.message}`;
  const mend = revived.error.mend ?? `Check the branch ${branch} with git, then send again or resume.`;
  return fail('workspace.failed', message, { mend });
}

const MADE_AGAIN =
  'Its folder was damaged or gone. Muster repaired it, or recreated it from its branch and the last snapshot, without ignored files and later changes.';

/** Whether a turn could not be sent because its folder is gone. */
export const isFolderGone = ({ code }: AppError): boolean =>
  code === 'not_found' || code === 'workspace.unreadable';

/**
 * Why a turn must not be sent if the state before it could not be saved: whatever an agent does to a
 * repository must be reversible. A run's own plain folder started empty, so it contains nothing of the
 * operator's.
 */
export function noWayBack({ workspaceMode }: RunState, error: AppError): AppError | null {
  if (workspaceMode === 'folder') return null;
  const { message, mend, where } = error;
  const gone = workspaceMode === 'worktree' && isFolderGone(error);
  return appError(
    'workspace.snapshot_failed',
    `The turn was not sent: without a snapshot of its folder, its changes could not be reverted. ${message}`,
    {
      ...(where && { where }),
      mend: gone ? SEND_AGAIN : (mend ?? 'Resolve what git reports, then resume the run.'),
    },
  );
}

const SEND_AGAIN =
  'Send the turn again, or resume the run: Muster repairs or recreates the folder from its branch and last snapshot.';

/** What is known about a turn's folder from before the turn. */
export interface TurnBegan {
  readonly turnId: number;
  readonly sessionId: number;
  /** The snapshot; null if there is none. */
  readonly kept: string | null;
  /** Why a snapshot is missing, for a run's own plain folder, whose turns are sent anyway. */
  readonly unkept?: AppError;
  /** HEAD's commit; null outside a repository, absent if unknown. */
  readonly head?: string | null;
}

/** The snapshot that an earlier core saved before a turn. */
export async function snapshotBefore(
  parts: EffectParts,
  run: LiveRun,
  { sessionId, turnId }: { readonly sessionId: number; readonly turnId: number },
): Promise<Pick<TurnBegan, 'kept' | 'head'>> {
  const { state } = run;
  const session = state.sessions[sessionId];
  if (!changesFiles(state, session) || session.cwd === null) return { kept: null };
  const name = turnSnapshot(state.uid, turnId, 'before');
  const found = await parts.workspaces.keptSnapshot(placeOf(state, session.cwd), name);
  return found === null ? { kept: null } : { kept: found.commit, head: found.head };
}

/** The changes between a turn's two snapshots; null if one is missing. */
export async function turnChanges(
  parts: EffectParts,
  run: LiveRun,
  between: {
    readonly sessionId: number;
    readonly turnId: number;
    readonly before: string | null;
    readonly after: string | null;
  },
): Promise<TurnChanges | null> {
  const cwd = run.state.sessions[between.sessionId]?.cwd ?? null;
  const { before, after, turnId } = between;
  if (cwd === null || before === null || after === null) return null;
  const changes = await parts.workspaces.changes(placeOf(run.state, cwd), { before, after });
  return changes !== null && changes.files > 0 && isShared(run.state, turnId)
    ? { ...changes, shared: true }
    : changes;
}

/**
 * Stores a diff and its list of files. Repeating it after a crash gives the same result, because snapshots
 * are named.
 */
export async function takeCapture(
  parts: EffectParts,
  run: LiveRun,
  event: Omit<RunEventOf<'capture.started'>, 'type'>,
): Promise<void> {
  const { state } = run;
  const { captureId, workspaceId, fromTurn, toTurn } = event;
  const baseCommit = workspaceId === null ? null : (state.workspaces[workspaceId]?.baseCommit ?? null);
  const named = (turnId: number | null, moment: 'before' | 'after') =>
    turnId === null ? [] : [turnSnapshot(state.uid, turnId, moment)];
  const wanted: DiffWanted = {
    place: placeOf(state, folderOf(state, workspaceId)),
    from: {
      snapshots: named(fromTurn, 'before'),
      commit: baseCommit ?? state.workspace?.baseCommit ?? null,
    },
    to: { snapshots: named(toTurn, 'after') },
    file: parts.joinPath(state.artifactsDir, 'captures', `k${captureId}.diff`),
  };
  const again = await folderAgain(parts, run, workspaceId);
  const read = again.ok ? await parts.workspaces.diff(wanted) : again;
  const taken = read.ok && read.value !== null ? await withWholeDiff(run.plan.texts, read.value) : read;
  const nothing = { diff: null, files: [], notes: [] };
  await parts.engine.report(run, [
    taken.ok
      ? { type: 'capture.finished', captureId, ...mutable(taken.value ?? nothing) }
      : { type: 'capture.failed', captureId, error: taken.error },
  ]);
}

const mutable = (taken: {
  readonly diff: RunEventOf<'capture.finished'>['diff'];
  readonly files: readonly RunEventOf<'capture.finished'>['files'][number][];
  readonly notes: readonly string[];
}) => ({ ...taken, files: [...taken.files], notes: [...taken.notes] });

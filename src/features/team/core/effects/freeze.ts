import { workSnapshot } from '@areas/changes/contract/changes';
import type { AppError } from '@contract/errors';
import { ownValue } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { RunState, SessionState, TurnState, WorkspaceState } from '@contract/run/state';
import type { EffectParts } from '@main/core/engine/base/effect-parts';
import type { LiveRun } from '@main/core/engine/base/live-run';
import { changesFiles, folderAgain, placeOf } from '@main/core/engine/effects/workspace-effects';
import type { FolderState } from '@main/core/ports/workspaces/workspaces';
import { memberLane } from '../../contract/lanes/lanes';

type Freezing = Omit<RunEventOf<'team.freezing'>, 'type'>;
type Parts = Pick<EffectParts, 'workspaces' | 'engine'>;

/**
 * Saves a member's work: the current state of its folder, including changes by the operator and by
 * interrupted turns. If repeated after a crash, it replaces the first result.
 */
export async function freezeMember(parts: Parts, run: LiveRun, about: Freezing): Promise<void> {
  const { activationId, member, reason } = about;
  const work = workOf(run.state, about);
  const own = ownFolder(run.state, about);
  const folder = own === null ? ok(null) : await folderAgain(parts, run, own.id);
  const snapshot =
    work === null
      ? null
      : folder.ok
        ? await keepWork(parts, run.state, { ...about, work })
        : { error: folder.error };
  await parts.engine.report(run, [
    snapshot !== null && 'error' in snapshot
      ? brokenFreeze(run.state, about, snapshot.error)
      : {
          type: 'team.stopped',
          activationId,
          member,
          reason,
          frozen: snapshot === null ? afterItsTurns(run.state, about) : snapshot.commit,
        },
  ]);
}

/** If its folder cannot be saved, the snapshots after its turns remain. */
export function brokenFreeze(
  state: RunState,
  { activationId, member, reason }: Freezing,
  error: AppError,
): RunEvent {
  const frozen = afterItsTurns(state, { activationId, member });
  const why = `${reason}; its folder could not be kept as it is now, only as its last turn left it: ${error.message}`;
  // Without any snapshot its work is unknown, which is not nothing.
  const unread = frozen === null ? { unread: error } : {};
  return { type: 'team.stopped', activationId, member, reason: why, frozen, ...unread };
}

/** The snapshot after its last turn with changes. */
const afterItsTurns = (state: RunState, about: About): string | null =>
  turnsOf(state, about).findLast(({ changes }) => (changes?.files ?? 0) > 0)?.changes?.after ?? null;

/** How a member left git in its own folder. A folder that cannot be read adds nothing to its last snapshot. */
export async function stateLeft(
  { workspaces }: Pick<Parts, 'workspaces'>,
  state: RunState,
  about: About,
): Promise<FolderState> {
  const folder = ownFolder(state, about);
  const left = folder?.path == null ? null : await workspaces.state(placeOf(state, folder.path));
  return left?.ok === true && left.value !== null ? left.value : { unsettled: null, notes: [] };
}

/** The work of a member whose folder could not be read when it stopped; what is known if it can be read now. */
export async function workAgain(parts: Parts, run: LiveRun, about: About): Promise<Result<string | null>> {
  const own = ownFolder(run.state, about);
  const folder = await folderAgain(parts, run, own?.id ?? null);
  if (!folder.ok) return folder;
  const work = workOf(run.state, about);
  const kept = work === null ? { commit: null } : await keepWork(parts, run.state, { ...about, work });
  return 'error' in kept ? err(kept.error) : ok(kept.commit);
}

/**
 * The current state of a member's own folder, if it differs from the known one because the operator changed
 * something there. Null if unchanged or unknown.
 */
export async function newerWork(
  { workspaces }: Pick<Parts, 'workspaces'>,
  state: RunState,
  { known, ...about }: About & { readonly known: string },
): Promise<string | null> {
  const folder = ownFolder(state, about);
  if (folder?.path == null) return null;
  const place = placeOf(state, folder.path);
  const name = workSnapshot(state.uid, about, 'now');
  const snapshot = await workspaces.snapshot(place, name);
  if (!snapshot.ok || snapshot.value === null) return null;
  const changes = await workspaces.changes(place, { before: known, after: snapshot.value });
  return changes === null || changes.files === 0 ? null : snapshot.value;
}

interface Work {
  readonly cwd: string;
  /** Its folder's initial commit. */
  readonly base: string | null;
}

type About = Pick<Freezing, 'activationId' | 'member'>;

const sessionOf = (state: RunState, { activationId, member }: About): SessionState | undefined =>
  state.sessions[ownValue(state.activations[activationId]?.lanes, memberLane(member)) ?? 0];

const turnsOf = (state: RunState, about: About): TurnState[] =>
  (sessionOf(state, about)?.turnIds ?? []).flatMap((id) => state.turns[id] ?? []);

/** The folder that belongs to a single member. */
function ownFolder(state: RunState, about: About): WorkspaceState | null {
  const folder = state.workspaces[sessionOf(state, about)?.workspaceId ?? 0];
  const isOwnFolder = folder?.activationId === about.activationId && folder.lane === memberLane(about.member);
  return isOwnFolder ? folder : null;
}

/**
 * The folder to save with a member's work; null if there is none. A shared folder contains others' changes by
 * now: there the snapshot after the member's own turns counts, unless a turn was interrupted or could not be
 * saved since, or the operator undid something.
 */
function workOf(state: RunState, about: About): Work | null {
  const session = sessionOf(state, about);
  if (session?.cwd == null) return null;
  const own = ownFolder(state, about);
  if (own !== null) return { cwd: session.cwd, base: own.baseCommit };
  const turns = turnsOf(state, about);
  const known = turns.findLastIndex(({ changes }) => (changes?.files ?? 0) > 0);
  const unknown = turns
    .slice(known + 1)
    .some(({ status, unkept }) => status === 'interrupted' || unkept !== undefined);
  const takenBack = Object.entries(state.hunks).some(
    ([key, mark]) => mark === 'rejected' && key.startsWith(`${session.id}/`),
  );
  if ((!unknown && !takenBack) || !changesFiles(state, session)) return null;
  const folder = state.workspaces[session.workspaceId ?? 0] ?? state.workspace;
  return { cwd: session.cwd, base: folder?.baseCommit ?? null };
}

/** Null if there are no changes since its start. */
async function keepWork(
  { workspaces }: Pick<Parts, 'workspaces'>,
  state: RunState,
  { activationId, member, work }: About & { readonly work: Work },
): Promise<{ readonly commit: string | null } | { readonly error: AppError }> {
  const place = placeOf(state, work.cwd);
  const snapshot = await workspaces.snapshot(
    place,
    workSnapshot(state.uid, { activationId, member }, 'work'),
  );
  if (!snapshot.ok) return { error: snapshot.error };
  const after = snapshot.value;
  if (after === null || work.base === null) return { commit: after };
  const changes = await workspaces.changes(place, { before: work.base, after });
  return { commit: changes?.files === 0 ? null : after };
}

import { appError } from '@contract/errors';
import type { Follows } from '@contract/run/features/feature';
import type { PlatformEventOf } from '@contract/run/platform-events';
import { memberLane } from '../lanes/lanes';
import type { MemberState, TeamState } from '../state';
import { allFailed } from '../status';
import { changeMember, type Teams } from './change';

/** Effects of platform events on a team. */
export const teamFollows: Follows<TeamState> = {
  /** The lane failed permanently, and so did its member; the team continues without it. */
  'lane.failed'(teams, { activationId, lane, error }, at) {
    changeMemberOf(teams, { activationId, lane }, () => ({ failed: { error, at }, stalled: null }));
  },
  /** The operator resumes a failed member. */
  'lane.restored'(teams, { activationId, lane, agent }) {
    const other = agent === undefined ? {} : { profileId: agent.profileId, model: agent.model };
    changeMemberOf(teams, { activationId, lane }, () => ({ failed: null, ...other }));
  },
  'turn.dispatched': turnDispatched,
  'run.resumed'(teams, { activationIds }) {
    for (const activationId of activationIds) resumed(teams[activationId]);
  },
};

interface LanePlace {
  readonly activationId: number;
  readonly lane: string | undefined;
}

function changeMemberOf(
  teams: Teams,
  { activationId, lane }: LanePlace,
  change: (member: MemberState) => Partial<MemberState>,
): void {
  const team = teams[activationId];
  if (team === undefined) return;
  for (const name of Object.keys(team.members))
    if (memberLane(name) === lane) changeMember(team, name, change);
}

/** A resent turn belongs to the same round as the turn that it replaces. */
function turnDispatched(teams: Teams, event: PlatformEventOf<'turn.dispatched'>): void {
  const { activationId, resendOf, turnId, lane } = event;
  if (resendOf === null) return;
  changeMemberOf(teams, { activationId, lane }, (member) => ({
    rounds: member.rounds.map((round) =>
      round.turnIds.includes(resendOf) ? { ...round, turnIds: [...round.turnIds, turnId] } : round,
    ),
  }));
}

/**
 * A step that failed with all of its members is no longer marked for cleanup once it is resumed. A merge in
 * progress at the cancellation counts as failed, and the operator is asked about it again.
 */
function resumed(team: TeamState | undefined): void {
  if (team === undefined) return;
  if (allFailed(team)) team.cleanedUp = null;
  for (const merge of Object.values(team.merges)) {
    if (merge.status !== 'requested' && merge.status !== 'confirmed') continue;
    const error = appError('cancelled', 'The run was cancelled before it was done.');
    team.merges[merge.id] = { ...merge, status: 'failed', error };
  }
}

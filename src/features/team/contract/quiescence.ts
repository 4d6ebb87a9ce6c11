import type { ActivationState, PlatformState } from '@contract/run/platform-state';
import { teamKey } from './keys';
import { LEAD_LANE } from './lanes';
import { isInstructed, leadIsWoken } from './queue';
import type { TeamState } from './state';
import { hasEnded, memberStatus } from './status';

/** The question whether a team that has come to rest is to end, as it is stored. */
const AT_REST = teamKey.text(['team.at-rest']);

/**
 * Whether a team has come to rest without an end: each member left has delivered its one round, nothing that wakes
 * anyone waits, nothing is to be merged, and no other question is open. An iterative member that waits for the
 * operator's word is no rest. What the sessions of its step are at is not looked at.
 */
export function teamRests(state: PlatformState, team: TeamState): boolean {
  const activation = state.activations[team.activationId];
  if (activation?.status !== 'running' || team.cleanedUp !== null) return false;
  const members = Object.values(team.members);
  const open = members.filter((member) => !hasEnded(member));
  // One whose members have all ended ends by itself, or asks.
  if (members.length > 0 && open.length === 0) return false;
  if (Object.values(team.merges).some(({ status }) => UNDECIDED.has(status))) return false;
  const asks = (id: number) => state.gates[id]?.status === 'open' && state.gates[id]?.about !== AT_REST;
  if (activation.gateIds.some(asks)) return false;
  return (
    leadRests(state, team, activation) &&
    open.every(
      (member) =>
        !member.iterative &&
        !isInstructed(team, member.queue) &&
        memberStatus(state, team, member).word === 'idle',
    )
  );
}

const UNDECIDED: ReadonlySet<string> = new Set(['requested', 'rehearsed', 'confirmed']);

/** Also where the operator leads: nothing waits for a lead there, and it has no turns. */
function leadRests(
  { turns }: PlatformState,
  team: TeamState,
  { turnIds, brokenLanes }: ActivationState,
): boolean {
  if (brokenLanes[LEAD_LANE] !== undefined) return true;
  const last = turns[turnIds.findLast((id) => turns[id]?.lane === LEAD_LANE) ?? 0];
  const ended = last === undefined || last.status === 'completed' || last.status === 'cancelled';
  return ended && !leadIsWoken(team);
}

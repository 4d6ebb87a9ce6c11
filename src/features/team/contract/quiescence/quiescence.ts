import type { ActivationState, PlatformState } from '@contract/run/platform-state';
import { teamKey } from '../keys';
import { LEAD_LANE } from '../lanes/lanes';
import { isInstructed, leadIsWoken } from '../lanes/queue';
import type { TeamState } from '../state';
import { hasEnded, memberStatus } from '../status';

/** The stored key of the question whether an idle team should end. */
const AT_REST = teamKey.text(['team.at-rest']);

/**
 * Whether a team is idle without having ended: each remaining member has delivered its only round, no waking
 * message waits, no merge is pending, and no other gate is open. An iterative member that waits for the
 * operator does not make a team idle. Does not look at the step's sessions.
 */
export function teamRests(state: PlatformState, team: TeamState): boolean {
  const activation = state.activations[team.activationId];
  if (activation?.status !== 'running' || team.cleanedUp !== null) return false;
  const members = Object.values(team.members);
  const open = members.filter((member) => !hasEnded(member));
  // A team whose members have all ended ends by itself, or asks.
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

/** Also if the operator leads: then no messages wait for a lead, and it has no turns. */
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

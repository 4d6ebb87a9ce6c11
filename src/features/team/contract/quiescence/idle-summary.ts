import type { PlatformState } from '@contract/run/platform-state';
import { LEAD_LANE } from '../lanes/lanes';
import { leadIsWoken } from '../lanes/queue';
import type { TeamState } from '../state';
import { type MemberWord, memberStatus } from '../status';
import { teamRests } from './quiescence';

const BUSY: ReadonlySet<MemberWord> = new Set(['starting', 'working', 'stopping', 'awaiting_lead']);

const AT_WORK: ReadonlySet<MemberWord> = new Set(['starting', 'working', 'stopping']);

/** No agent of a team works, and a member waits for the operator. */
export function teamAwaits(state: PlatformState, team: TeamState): boolean {
  const activation = state.activations[team.activationId];
  if (activation?.status !== 'running') return false;
  const lead = activation.turnIds.findLast((id) => state.turns[id]?.lane === LEAD_LANE);
  if (state.turns[lead ?? 0]?.status === 'in_flight' || leadIsWoken(team)) return false;
  const words = Object.values(team.members).map((member) => memberStatus(state, team, member).word);
  return words.includes('awaiting_operator') && !words.some((word) => AT_WORK.has(word));
}

/**
 * For a team without a turn in flight: which members wait for a message of the operator that is not a gate.
 * Null if it continues.
 */
export function teamStanding(state: PlatformState, team: TeamState): string | null {
  const words = Object.values(team.members).map((member) => memberStatus(state, team, member).word);
  if (teamRests(state, team)) return 'No one is working';
  if (words.length === 0 || words.some((word) => BUSY.has(word))) return null;
  const awaiting = words.filter((word) => word === 'awaiting_operator').length;
  if (awaiting === 0) return 'No one is working';
  return awaiting === 1 ? '1 member waits for you' : `${awaiting} members wait for you`;
}

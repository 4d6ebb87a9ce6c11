import type { Progress } from '@contract/run/features/feature';
import type { PlatformState } from '@contract/run/platform-state';
import { LEAD_LANE, memberLane } from '../lanes/lanes';
import { leadIsWoken } from '../lanes/queue';
import type { TeamState } from '../state';
import { keepsWork, type MemberWord, memberStatus } from '../status';
import { teamRests } from './quiescence';

const BUSY: ReadonlySet<MemberWord> = new Set(['starting', 'working', 'stopping', 'awaiting_lead']);

const AT_WORK: ReadonlySet<MemberWord> = new Set(['starting', 'working', 'stopping']);

/** How a team is doing, apart from its turns. */
export function teamProgress(state: PlatformState, team: TeamState): Progress {
  const members = Object.values(team.members).map((member) => ({
    lane: memberLane(member.name),
    word: memberStatus(state, team, member).word,
  }));
  const words = members.map(({ word }) => word);
  const rests = teamRests(state, team);
  return {
    is: keepsWork(team) ? 'works' : rests ? 'rests' : awaits(state, team, words) ? 'awaits' : 'idle',
    text: rests ? NO_ONE : textOf(words),
    waitingLanes: members.flatMap(({ lane, word }) => (word === 'awaiting_operator' ? [lane] : [])),
  };
}

/** No agent of a team works, and a member waits for the operator. */
function awaits(state: PlatformState, team: TeamState, words: readonly MemberWord[]): boolean {
  const activation = state.activations[team.activationId];
  if (activation?.status !== 'running') return false;
  const lead = activation.turnIds.findLast((id) => state.turns[id]?.lane === LEAD_LANE);
  if (state.turns[lead ?? 0]?.status === 'in_flight' || leadIsWoken(team)) return false;
  return words.includes('awaiting_operator') && !words.some((word) => AT_WORK.has(word));
}

const NO_ONE = 'No one is working';

/** For a team without a turn in flight: which members wait for a message of the operator that is not a gate. */
function textOf(words: readonly MemberWord[]): string | null {
  if (words.length === 0 || words.some((word) => BUSY.has(word))) return null;
  const awaiting = words.filter((word) => word === 'awaiting_operator').length;
  if (awaiting === 0) return NO_ONE;
  return awaiting === 1 ? '1 member waits for you' : `${awaiting} members wait for you`;
}

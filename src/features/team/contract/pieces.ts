import { ownValue } from '@contract/own';
import type { Piece } from '@contract/run/features/feature';
import type { TurnState } from '@contract/run/platform-state';
import type { TeamEvent } from './events';
import { memberLane } from './lanes/lanes';
import type { MemberState, TeamState } from './state';

const keyOf = ({ name }: MemberState, round: number): string => `${memberLane(name)}/${round}`;

/** A member's round that a turn belongs to. A lead's turns belong to none. */
export function roundOfTurn({ members }: TeamState, { id, lane }: TurnState): string | null {
  const member = Object.values(members).find(({ name }) => memberLane(name) === lane);
  const round = member?.rounds.find(({ turnIds }) => turnIds.includes(id));
  return member && round ? keyOf(member, round.round) : null;
}

/** A delivered round, or the one the operator accepted: the last one delivered before they were satisfied. */
export function roundIn({ members }: TeamState, event: TeamEvent): Piece | null {
  if (event.type !== 'team.result' && event.type !== 'team.released') return null;
  const member = ownValue(members, event.member);
  if (member === undefined) return null;
  const piece = (round: number, accepted: boolean): Piece => ({
    key: keyOf(member, round),
    kind: 'round',
    name: `${member.name}, round ${round}`,
    title: null,
    accepted,
  });
  if (event.type === 'team.result') return piece(event.round, false);
  if (event.how !== 'satisfied') return null;
  const delivered = member.rounds.findLast(({ result, final }) => result !== null && !final);
  return delivered === undefined ? null : piece(delivered.round, true);
}

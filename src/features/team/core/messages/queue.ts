import type { MemberState } from '../../contract/state';

export { leadIsWoken, messagesOf } from '../../contract/lanes/queue';

/** A released iterative member has one finishing turn before it stops. */
export const owesFinal = (member: MemberState): boolean =>
  member.iterative && member.rounds.length > 0 && member.rounds.at(-1)?.final !== true;

/** The round number of a member's turn; null for a planning turn. */
export const roundOfTurn = (member: MemberState | undefined, turnId: number | null): number | null =>
  member?.rounds.find(({ turnIds }) => turnId !== null && turnIds.includes(turnId))?.round ?? null;

import type { MemberState } from '../contract/state';

export { leadIsWoken, messagesOf } from '../contract/queue';

/** An iterative member that was released has one finishing turn before it stops. */
export const owesFinal = (member: MemberState): boolean =>
  member.iterative && member.rounds.length > 0 && member.rounds.at(-1)?.final !== true;

/** The number of the round that a member's turn belongs to; null where it belongs to none: it made a plan. */
export const roundOfTurn = (member: MemberState | undefined, turnId: number | null): number | null =>
  member?.rounds.find(({ turnIds }) => turnId !== null && turnIds.includes(turnId))?.round ?? null;

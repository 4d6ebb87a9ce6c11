import type { MemberState, TeamMessage, TeamState } from '@contract/team/state';

/** The messages with these numbers that there are. */
export const messagesOf = (team: TeamState, ids: readonly number[]): TeamMessage[] =>
  ids.flatMap((id) => team.messages[id] ?? []);

/** What waits for a lead that is an agent wakes it, but for notes to several, which it reads along. */
export const leadIsWoken = (team: TeamState): boolean =>
  messagesOf(team, team.leadQueue).some(
    (message) => message.kind !== 'note' || Object.keys(message.deliveries).length === 1,
  );

/** An iterative member that was released has one finishing turn before it stops. */
export const owesFinal = (member: MemberState): boolean =>
  member.iterative && member.rounds.length > 0 && member.rounds.at(-1)?.final !== true;

/** The number of the round that a member's turn belongs to; null where it belongs to none: it made a plan. */
export const roundOfTurn = (member: MemberState | undefined, turnId: number | null): number | null =>
  member?.rounds.find(({ turnIds }) => turnId !== null && turnIds.includes(turnId))?.round ?? null;

import type { TeamMessage, TeamState } from './state';

/** The messages with these numbers that there are. */
export const messagesOf = (team: TeamState, ids: readonly number[]): TeamMessage[] =>
  ids.flatMap((id) => team.messages[id] ?? []);

/** What waits for a lead that is an agent wakes it, but for notes to several, which it reads along. */
export const leadIsWoken = (team: TeamState): boolean =>
  messagesOf(team, team.leadQueue).some(
    (message) => message.kind !== 'note' || Object.keys(message.deliveries).length === 1,
  );

/** Notes wake no member: they are read with the next instruction. */
export const isInstructed = (team: TeamState, queue: readonly number[]): boolean =>
  queue.some((id) => team.messages[id]?.kind === 'instruction');

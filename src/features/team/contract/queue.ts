import { LEAD, OPERATOR } from './events';
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

export interface Queued {
  readonly message: TeamMessage;
  /** The recipients that it still waits for. */
  readonly to: readonly string[];
}

/** The operator's messages that are not delivered yet, in a thread: they can be changed or withdrawn. */
export function queuedMessages(team: TeamState, thread: string | null, ended: ReadonlySet<string>): Queued[] {
  const ids = new Set([
    ...(thread === null || thread === LEAD ? team.leadQueue : []),
    ...Object.values(team.members).flatMap(({ name, queue }) =>
      (thread === null || thread === name) && !ended.has(name) ? queue : [],
    ),
  ]);
  return [...ids]
    .sort((a, b) => a - b)
    .flatMap((id): Queued[] => {
      const message = team.messages[id];
      if (message?.from !== OPERATOR || message.kind !== 'instruction') return [];
      // A member's first message goes out as soon as its session is ready.
      const waits = Object.values(message.deliveries).filter(
        ({ state, seq, to }) => state === 'queued' && (seq > 1 || to === LEAD),
      );
      return waits.length === 0 ? [] : [{ message, to: waits.map(({ to }) => to) }];
    });
}

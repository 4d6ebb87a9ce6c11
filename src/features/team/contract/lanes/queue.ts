import { LEAD, OPERATOR } from '../events';
import type { TeamMessage, TeamState } from '../state';

/** The existing messages with these numbers. */
export const messagesOf = (team: TeamState, ids: readonly number[]): TeamMessage[] =>
  ids.flatMap((id) => team.messages[id] ?? []);

/**
 * Waiting messages wake a lead agent, except notes to several recipients, which it reads with the next turn.
 */
export const leadIsWoken = (team: TeamState): boolean =>
  messagesOf(team, team.leadQueue).some(
    (message) => message.kind !== 'note' || Object.keys(message.deliveries).length === 1,
  );

/** Notes wake no member: they are read with the next instruction. */
export const isInstructed = (team: TeamState, queue: readonly number[]): boolean =>
  queue.some((id) => team.messages[id]?.kind === 'instruction');

export interface Queued {
  readonly message: TeamMessage;
  /** The recipients that have not received it yet. */
  readonly to: readonly string[];
}

/** The operator's undelivered messages in a thread, which can be changed or withdrawn. */
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

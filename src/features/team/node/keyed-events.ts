import type { KeyedAnswer } from '@contract/run/command-key';
import type { RunEvent } from '@contract/run/events';

/** A command's events; the first suitable one carries its key and answer. */
export function keyed(
  events: readonly RunEvent[],
  key: string | undefined,
  answer: KeyedAnswer,
): readonly RunEvent[] {
  if (key === undefined) return events;
  const at = events.findIndex(keepsKey);
  return events.map((event, index) =>
    index === at && keepsKey(event) ? { ...event, keyed: { key, answer } } : event,
  );
}

const keepsKey = (event: RunEvent) => event.type === 'team.message' || event.type === 'team.task-added';

import type { AppError } from '@contract/errors';
import type { StoredEvent } from '@contract/run/events';

/**
 * One stored event as a server-sent event. Progress of a task (the names of seed 000, `task.*`) has exactly its
 * documented fields as data, and a comment before it says of which run; any other has the whole stored event.
 * JSON has no line breaks, so each is one `data` line.
 */
export function eventText(stored: StoredEvent): string {
  const { id, runId, seq, at, event } = stored;
  const { type, ...payload } = event;
  if (!type.startsWith('task.')) return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(stored)}\n\n`;
  return `: run=${runId} seq=${seq} at=${at}\nid: ${id}\nevent: ${type}\ndata: ${JSON.stringify(payload)}\n\n`;
}

/** Sets the reader's last id without telling it anything, so that a break before the first event loses none. */
export const cursorText = (id: number): string => `retry: 2000\nid: ${id}\n\n`;

export const heartbeatText = ': still here\n\n';

/** The last thing in a stream that the server ends. It has no id: the reader goes on after the last event it got. */
export const endText = (error: AppError): string => `event: muster.end\ndata: ${JSON.stringify(error)}\n\n`;

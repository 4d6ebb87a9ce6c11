import type { AppError } from '@contract/errors';
import type { StoredEvent } from '@contract/run/events';
import { namingAddresses } from './route';

/**
 * A stored event as a server-sent event. Task progress (`task.*`, seed 000) has only its documented fields as
 * data, with the run in a comment before it; other events are sent whole. JSON has no line breaks, so each is
 * one `data` line.
 */
export function eventText(stored: StoredEvent): string {
  const { id, runId, seq, at, event } = stored;
  const { type, ...payload } = event;
  if (!type.startsWith('task.'))
    return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(namingAddresses(stored, runId))}\n\n`;
  return `: run=${runId} seq=${seq} at=${at}\nid: ${id}\nevent: ${type}\ndata: ${JSON.stringify(payload)}\n\n`;
}

/** Sets the reader's last id without an event, so that a disconnect before the first event loses none. */
export const cursorText = (id: number): string => `retry: 2000\nid: ${id}\n\n`;

export const heartbeatText = ': still here\n\n';

/**
 * The last message of a stream that the server ends. It has no id: the reader continues after its last event.
 */
export const endText = (error: AppError): string => `event: muster.end\ndata: ${JSON.stringify(error)}\n\n`;

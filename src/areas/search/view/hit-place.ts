import type { SearchHit, TerminalHit } from '@areas/feed/contract/procedures';
import { messageHash } from '@features/view';
import { hashOf, withQuery } from '@renderer/client/route';

/** The address of a match; `find` are the words to mark there. */
export const placeOfHit = (hit: SearchHit, find: string): string => withQuery(addressOf(hit), { find });

function addressOf({ kind, eventId, runId, turnId, gateId, messageId, activationId }: SearchHit): string {
  if (kind === 'update') return hashOf('update', eventId);
  if (gateId !== undefined) return hashOf('run', runId, 'gate', gateId);
  if (messageId !== undefined && activationId !== undefined)
    return messageHash(runId, activationId, messageId);
  return turnId === null ? hashOf('run', runId) : hashOf('run', runId, 'turn', turnId);
}

export const placeOfTerminal = ({ runId, terminal }: TerminalHit, find: string): string =>
  withQuery(hashOf('terminal', runId, terminal), { find });

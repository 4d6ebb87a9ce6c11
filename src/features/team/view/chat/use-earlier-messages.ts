import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { useEffect, useRef, useState } from 'react';
import type { TeamMessage, TeamState } from '../../contract/state';
import { heldFrom } from './rows';

interface Older {
  readonly messages: readonly TeamMessage[];
  /** There are earlier messages that were not read yet. */
  readonly more: boolean;
  readonly read: () => Promise<void>;
}

interface Pages {
  /** Where the state began when they were read. */
  readonly before: number;
  readonly messages: readonly TeamMessage[];
  readonly more: boolean;
}

/** Messages older than those in the run's state, read on request. */
export function useEarlierMessages(runId: number, team: TeamState | null, thread: string | null): Older {
  const [pages, setPages] = useState<Pages | null>(null);
  const reading = useRef(false);
  const from = team === null ? 1 : heldFrom(team);
  // A reloaded snapshot begins later, so the earlier pages would leave a gap.
  const valid = pages !== null && pages.before >= from ? pages : null;
  const more = valid === null ? from > 1 : valid.more;
  const activationId = team?.activationId ?? null;
  const read = async () => {
    if (reading.current || activationId === null || !more) return;
    reading.current = true;
    const before = valid?.messages[0]?.id ?? from;
    const page = await attempt(call('team.messages', { runId, activationId, thread, before }));
    reading.current = false;
    if (page === null) return;
    const messages = [...page.messages, ...(valid?.messages ?? [])];
    setPages({ before: Math.max(from, valid?.before ?? 0), messages, more: page.more });
  };
  // One member's messages may all be older than those in the state.
  const wanted = thread !== null && valid === null && more;
  const readFirst = useRef(read);
  readFirst.current = read;
  useEffect(() => {
    if (wanted) void readFirst.current();
  }, [wanted]);
  return { messages: valid?.messages ?? [], more, read };
}

import { requesterOf } from '@areas/gates/contract/requester';
import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';

/** Stores each question with the agent it is about, so that all views name the same one. */
export function withRequester(state: RunState, event: RunEvent): RunEvent {
  if (event.type !== 'gate.opened' || event.asker !== undefined) return event;
  const asker = requesterOf(state, event);
  return asker === null ? event : { ...event, asker };
}

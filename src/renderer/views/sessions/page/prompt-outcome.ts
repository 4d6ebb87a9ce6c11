import type { RunState, SessionState } from '@contract/run/state';
import { plural } from '../../../client/format';
import { queuedPrompts, turnInFlight } from './turns';

export interface WhatHappens {
  /** Something can be sent. */
  readonly can: boolean;
  /** What will happen to it, or why it cannot be. */
  readonly text: string;
}

/** What sending a prompt now will do. */
export function whatHappens(state: RunState, session: SessionState): WhatHappens {
  if (state.binned) return no('The run lies in the bin: take it out to say more.');
  if (state.status === 'cancelling') return no('The run is being cancelled: nothing more is sent.');
  if (session.status === 'failed') {
    return no(`This session has failed: ${session.error?.message ?? 'its agent did not start'}`);
  }
  const opens = state.status === 'finished' ? 'The finished run opens again for this. ' : '';
  return { can: true, text: `${opens}${when(state, session)}` };
}

const no = (text: string): WhatHappens => ({ can: false, text });

function when(state: RunState, session: SessionState): string {
  const queued = queuedPrompts(state, session.id).length;
  if (queued > 0) return `Sent after the ${queued === 1 ? 'prompt' : plural(queued, 'prompt')} above.`;
  const turn = turnInFlight(state, session);
  if (turn !== null) {
    const asks = Object.values(state.gates).some((gate) => gate.turnId === turn.id && gate.status === 'open');
    const waits = asks ? ', which waits for your answer' : '';
    return `Sent when the turn that is in flight has ended${waits}.`;
  }
  switch (session.status) {
    case 'starting':
    case 'resuming':
      return 'Sent as soon as the session is ready.';
    case 'ready':
      return 'Sent at once, in this session.';
    default:
      return session.capabilities?.resume === false
        ? 'The agent starts a new conversation in the same folder: it cannot resume the earlier one.'
        : 'The session is resumed for it, with all that was said.';
  }
}

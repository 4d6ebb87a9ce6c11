import type { RunState, SessionState } from '@contract/run/state';
import { plural } from '@renderer/client/format';
import { queuedPrompts, turnInFlight } from './turns';

interface WhatHappens {
  /** Something can be sent. */
  readonly can: boolean;
  /** What will happen to it, or why it cannot be sent. */
  readonly text: string;
}

/** The effect of sending a prompt now. */
export function whatHappens(state: RunState, session: SessionState): WhatHappens {
  if (state.binned) return no('The run is in the bin. Restore it to continue the session.');
  if (state.status === 'cancelling') return no('The run is being cancelled. No more prompts are sent.');
  if (session.status === 'failed') {
    return no(`This session has failed: ${session.error?.message ?? 'its agent did not start'}`);
  }
  const opens = state.status === 'finished' ? 'This reopens the finished run. ' : '';
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
    return `Sent when the running turn ends${waits}.`;
  }
  switch (session.status) {
    case 'starting':
    case 'resuming':
      return 'Sent as soon as the session is ready.';
    case 'ready':
      return 'Sent immediately, in this session.';
    default:
      return session.capabilities?.resume === false
        ? 'The agent starts a new conversation in the same folder: it cannot resume the earlier one.'
        : 'Resumes the session with its whole conversation.';
  }
}

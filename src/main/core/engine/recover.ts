import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';

const ENDED = 'Muster ended while it was in flight';

/**
 * What a start must say about a run that was left unfinished: every turn and command without an end was interrupted,
 * every session has lost its process. Never a guess about what they did.
 */
export function interruptions(state: RunState, partialText: (turnId: number) => string): RunEvent[] {
  const events: RunEvent[] = [];
  for (const turn of Object.values(state.turns)) {
    if (turn.status === 'in_flight') {
      events.push({
        type: 'turn.interrupted',
        turnId: turn.id,
        reason: ENDED,
        partial: partialText(turn.id),
      });
    }
  }
  for (const command of Object.values(state.commands)) {
    if (command.status === 'running')
      events.push({ type: 'command.interrupted', commandId: command.id, reason: ENDED });
  }
  for (const session of Object.values(state.sessions)) {
    if (session.status === 'starting' || session.status === 'resuming' || session.status === 'ready') {
      events.push({ type: 'session.lost', sessionId: session.id, reason: 'its process ended with Muster' });
    }
  }
  return events;
}

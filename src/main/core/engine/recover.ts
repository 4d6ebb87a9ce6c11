import type { RunEvent, RunEventOf, StoredEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';

const ENDED = 'Muster ended while it was in flight';

/** A command that the log knows no end of, and when it began. */
export interface BegunCommand {
  readonly event: RunEventOf<'command.started'>;
  readonly at: number;
}

export interface Found {
  /** What a turn had said when it was cut off. */
  readonly partialText: (turnId: number) => string;
  /** Whether a command without an end still has one to come, because it lives or its result waits. */
  readonly survives: (commandId: number) => boolean;
}

/**
 * What a start must say about a run that was left unfinished: every turn and command without an end was interrupted,
 * but for commands that outlived the core; every session has lost its process. Never a guess about what they did.
 */
export function interruptions(state: RunState, { partialText, survives }: Found): RunEvent[] {
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
    if (command.status === 'running' && !survives(command.id))
      events.push({ type: 'command.interrupted', commandId: command.id, reason: ENDED });
  }
  for (const session of Object.values(state.sessions)) {
    if (session.status === 'starting' || session.status === 'resuming' || session.status === 'ready') {
      events.push({ type: 'session.lost', sessionId: session.id, reason: 'its process ended with Muster' });
    }
  }
  return events;
}

/** The commands in terminals that the log knows no end of: only a terminal can outlive a core. */
export function begunInTerminals(state: RunState, log: () => Iterable<StoredEvent>): BegunCommand[] {
  const open = Object.values(state.commands).some((one) => one.status === 'running' && one.terminal);
  if (!open) return [];
  const begun: BegunCommand[] = [];
  for (const { at, event } of log()) {
    if (
      event.type === 'command.started' &&
      event.terminal &&
      state.commands[event.commandId]?.status === 'running'
    )
      begun.push({ event, at });
  }
  return begun;
}

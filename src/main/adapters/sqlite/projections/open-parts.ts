import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type { StatusParts } from '@contract/run/status';

/**
 * What is open in a live run. Each event adds what it names, and a reading drops what has ended, so a reading
 * costs what happened since the last one and what is open, however long the run is.
 */
export class OpenParts {
  private readonly gates: Set<number>;
  private readonly timers: Set<number>;
  private readonly sessions: Set<number>;
  private readonly activations: Set<number>;

  constructor(private readonly state: RunState) {
    this.gates = idsOf(state.gates);
    this.timers = idsOf(state.timers);
    this.sessions = idsOf(state.sessions);
    this.activations = idsOf(state.activations);
  }

  follow(event: RunEvent): void {
    if ('gateId' in event && typeof event.gateId === 'number') this.gates.add(event.gateId);
    if ('timerId' in event && typeof event.timerId === 'number') this.timers.add(event.timerId);
    if ('sessionId' in event && typeof event.sessionId === 'number') this.sessions.add(event.sessionId);
    if ('activationId' in event && typeof event.activationId === 'number')
      this.activations.add(event.activationId);
  }

  read(): StatusParts {
    const { gates, timers, sessions, activations, turns } = this.state;
    return {
      gates: kept(this.gates, gates, ({ status }) => status === 'open'),
      timers: kept(this.timers, timers, ({ fired }) => !fired),
      sessions: kept(
        this.sessions,
        sessions,
        ({ status, turnIds }) =>
          status === 'starting' ||
          status === 'resuming' ||
          turns[turnIds.at(-1) ?? 0]?.status === 'in_flight',
      ),
      activations: kept(this.activations, activations, ({ status }) => status === 'running'),
    };
  }
}

const idsOf = (entries: Readonly<Record<number, unknown>>): Set<number> =>
  new Set(Object.keys(entries).map(Number));

function kept<Entry>(
  ids: Set<number>,
  entries: Readonly<Record<number, Entry>>,
  isOpen: (entry: Entry) => boolean,
): Entry[] {
  const open: Entry[] = [];
  for (const id of ids) {
    const entry = entries[id];
    if (entry !== undefined && isOpen(entry)) open.push(entry);
    else ids.delete(id);
  }
  return open;
}

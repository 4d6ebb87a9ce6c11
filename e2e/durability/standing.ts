import type { RunEvent, StoredEvent } from '@contract/run/events';

/** What the core was at when it was killed; a kill can count for several. */
export const standings = ['skip', 'retry wait', 'loop gate', 'fan-out', 'rework', 'experiment'] as const;
export type Standing = (typeof standings)[number];

interface Run {
  readonly name: string;
  readonly timers: Set<number>;
  readonly scopes: Set<string>;
  readonly gates: Set<number>;
  readonly turns: Set<number>;
}

/** Follows what every run is at, from what the core told of it. */
export class Standings {
  private readonly runs = new Map<number, Run>();
  private skipped = false;
  readonly counts = Object.fromEntries(standings.map((name) => [name, 0])) as Record<Standing, number>;

  committed(events: readonly StoredEvent[]): void {
    this.skipped = events.some(({ event }) => event.type === 'step.skipped');
    for (const { runId, event } of events) {
      if (event.type === 'run.started') {
        const { name } = event.definition;
        this.runs.set(runId, {
          ...{ name, timers: new Set(), scopes: new Set() },
          ...{ gates: new Set(), turns: new Set() },
        });
      }
      const run = this.runs.get(runId);
      if (run !== undefined) follow(run, event);
    }
  }

  /** The core was killed now. */
  killed(): void {
    const all = [...this.runs.values()];
    const some = (name: string, what: 'scopes' | 'gates' | 'turns' | 'timers') =>
      all.some((run) => run.name === name && run[what].size > 0);
    const at: Record<Standing, boolean> = {
      skip: this.skipped,
      'retry wait': some('skips', 'timers'),
      'loop gate': some('rounds', 'gates'),
      'fan-out': some('items', 'scopes') || some('builders', 'scopes'),
      rework: some('rework', 'turns'),
      experiment: some('experiment', 'scopes'),
    };
    for (const name of standings) this.counts[name] += Number(at[name]);
  }
}

function follow({ timers, scopes, gates, turns }: Run, event: RunEvent): void {
  switch (event.type) {
    case 'timer.set':
      return void timers.add(event.timerId);
    case 'timer.fired':
      return void timers.delete(event.timerId);
    case 'scope.opened':
      return void scopes.add(event.scope);
    case 'scope.ended':
      return void scopes.delete(event.scope);
    case 'gate.opened':
      return void gates.add(event.gateId);
    case 'gate.resolved':
    case 'gate.withdrawn':
      return void gates.delete(event.gateId);
    case 'turn.dispatched':
      return void turns.add(event.turnId);
    case 'turn.finished':
    case 'turn.interrupted':
      return void turns.delete(event.turnId);
    default:
      return;
  }
}

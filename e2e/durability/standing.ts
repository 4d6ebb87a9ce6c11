import type { RunEvent, StoredEvent } from '@contract/run/events';

/** What the core was at when it was killed, with the workflows in which it happens; a kill can count for several. */
const KINDS = {
  skip: ['skips'],
  'retry wait': ['skips'],
  'loop gate': ['rounds'],
  'fan-out': ['items', 'builders'],
  rework: ['rework'],
  experiment: ['experiment'],
} as const;
export type Standing = keyof typeof KINDS;
export const standings = Object.keys(KINDS) as readonly Standing[];

interface Run {
  readonly name: string;
  live: boolean;
  readonly timers: Set<number>;
  readonly scopes: Set<string>;
  readonly gates: Set<number>;
  readonly turns: Set<number>;
}

/** Follows what every run is at, from what the core told of it. */
export class Standings {
  private readonly runs = new Map<number, Run>();
  private skipped = false;
  /** Workflows of which something was told in this life of the core. */
  private readonly moved = new Set<string>();
  readonly counts = Object.fromEntries(standings.map((name) => [name, 0])) as Record<Standing, number>;

  committed(events: readonly StoredEvent[]): void {
    this.skipped = events.some(({ event }) => event.type === 'step.skipped');
    for (const { runId, event } of events) {
      if (event.type === 'run.started') {
        const { name } = event.definition;
        this.runs.set(runId, {
          name,
          live: true,
          timers: new Set(),
          scopes: new Set(),
          gates: new Set(),
          turns: new Set(),
        });
      }
      const run = this.runs.get(runId);
      if (run === undefined) continue;
      this.moved.add(run.name);
      follow(run, event);
    }
  }

  /** Where the fewest kills hit, of what happens in these kinds of runs (none: all), and the workflow to start for it. */
  scarcest(kinds: readonly string[]): { readonly standing: Standing; readonly kind: string } | null {
    const possible = standings.flatMap((standing) => {
      const kind = KINDS[standing].find((one) => kinds.length === 0 || kinds.includes(one));
      return kind === undefined ? [] : [{ standing, kind }];
    });
    return possible.sort((a, b) => this.counts[a.standing] - this.counts[b.standing])[0] ?? null;
  }

  /** Whether a run of this kind has not ended. */
  isLive(kind: string): boolean {
    return [...this.runs.values()].some(({ name, live }) => live && name === kind);
  }

  /** Whether this life of the core has brought it there. */
  isAt(standing: Standing): boolean {
    return KINDS[standing].some((kind) => this.moved.has(kind)) && this.now()[standing];
  }

  /** The core was killed now. */
  killed(): void {
    const now = this.now();
    for (const name of standings) this.counts[name] += Number(now[name]);
    this.moved.clear();
    this.skipped = false;
  }

  private now(): Record<Standing, boolean> {
    const all = [...this.runs.values()];
    const some = (standing: Standing, what: 'scopes' | 'gates' | 'turns' | 'timers') =>
      all.some((run) => (KINDS[standing] as readonly string[]).includes(run.name) && run[what].size > 0);
    return {
      skip: this.skipped,
      'retry wait': some('retry wait', 'timers'),
      'loop gate': some('loop gate', 'gates'),
      'fan-out': some('fan-out', 'scopes'),
      rework: some('rework', 'turns'),
      experiment: some('experiment', 'scopes'),
    };
  }
}

function follow(run: Run, event: RunEvent): void {
  const { timers, scopes, gates, turns } = run;
  switch (event.type) {
    case 'run.finished':
      run.live = false;
      return;
    case 'run.reopened':
    case 'run.resumed':
      run.live = true;
      return;
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

import { ok } from '@contract/result';
import type { Engine } from '@main/core/engine/engine';
import { askAt, type HostSight, hostNews } from '@main/core/engine/gates/lost-hosts';
import type { Clock, Logger } from '@main/core/ports/ports';
import type { HostRow } from '../contract/procedures';

interface HostWatchParts {
  readonly engine: Pick<Engine, 'all' | 'command'>;
  readonly clock: Clock;
  readonly logger: Logger;
  rows(): readonly HostRow[];
}

/**
 * Records in runs with work on a host that its connection broke and is back, and asks the operator after `lost_after`.
 * The times come from events, so they hold for the next core.
 */
export class HostWatch {
  #cancel: () => void = () => undefined;
  #looking: Promise<void> | null = null;
  #again = false;
  #stopped = false;

  constructor(private readonly parts: HostWatchParts) {}

  /** At each change of a connection, of which an attempt to connect is one. */
  look(): void {
    this.#again = true;
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = null;
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #lookAll(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      const sights = sightsOf(this.parts.rows());
      for (const { runId, state } of [...this.parts.engine.all()])
        if (hostNews(state, sights, this.parts.clock.now()).length > 0) await this.#record(runId, sights);
    }
    this.#setTimer();
  }

  async #record(runId: number, sights: ReadonlyMap<string, HostSight>): Promise<void> {
    const { engine, clock, logger } = this.parts;
    const done = await engine.command(runId, ({ state }) => ok(hostNews(state, sights, clock.now())));
    if (done.ok) return;
    logger.warn('the connection to a host could not be recorded', { runId, why: done.error.message });
  }

  #setTimer(): void {
    this.#cancel();
    if (this.#stopped) return;
    const { engine, clock } = this.parts;
    const due = [...engine.all()].flatMap(({ state }) =>
      Object.keys(state.lostHosts).flatMap((host) => askAt(state, host) ?? []),
    );
    if (due.length > 0) this.#cancel = clock.at(Math.min(...due), () => this.look());
  }
}

function sightsOf(rows: readonly HostRow[]): ReadonlyMap<string, HostSight> {
  return new Map(
    rows.flatMap(({ name, state }): [string, HostSight][] => {
      if (state.kind === 'connected') return [[name, { kind: 'up' }]];
      return state.kind === 'disconnected' ? [[name, { kind: 'lost', since: state.since }]] : [];
    }),
  );
}

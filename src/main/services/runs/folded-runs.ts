import type { StoredEvent } from '@contract/run/events';
import { histories } from '@contract/run/feature-answers';
import { replay } from '@contract/run/reduce';
import { stepDefinition } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import type { Engine } from '../../core/engine/engine';
import type { Logger } from '../../core/ports/ports';
import type { Store } from '../../core/ports/store';

export interface FoldedRunsParts {
  readonly engine: Pick<Engine, 'live'>;
  readonly store: Pick<Store, 'log' | 'eventsWithoutHistory'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Folded runs kept in memory. */
const MOST_FOLDED = 2;

/** The states of runs, whether they are in memory or only in the log. One that cannot be read is null. */
export class FoldedRuns {
  /** Runs that are not in memory, as they were folded last: reading a long one again costs nothing. */
  private readonly folded = new Map<number, RunState>();
  /** The same without the earlier events of their histories. */
  private readonly glanced = new Map<number, RunState>();
  /** Runs of which the log says already that they cannot be read. */
  private readonly unread = new Set<number>();

  constructor(private readonly parts: FoldedRunsParts) {}

  /** The state as it is in memory, else folded from the log: of the runs read last only what came since. */
  state(runId: number): RunState | null {
    const live = this.parts.engine.live(runId)?.state;
    if (live !== undefined) return live;
    const known = this.folded.get(runId) ?? null;
    const state = this.readable(runId, () =>
      replay(this.parts.store.log.read(runId, known?.seq ?? 0), known),
    );
    if (state === null) return null;
    keepLast(this.folded, runId, state);
    return state;
  }

  /**
   * A run as it stands, for those who ask for no more of a history than its last events, such as a team's chat. Of a
   * run that has ended the earlier ones are not even read: what they still did to counts is left out with them.
   */
  stateWithoutHistory(runId: number): RunState | null {
    const { engine, store } = this.parts;
    if (engine.live(runId) !== null || this.folded.has(runId)) return this.state(runId);
    const known = this.glanced.get(runId) ?? null;
    const state = this.readable(runId, () => {
      const events = known === null ? this.lastEvents(runId) : store.log.read(runId, known.seq);
      return events === null ? null : replay(events, known);
    });
    // Which of two activations was left out by the count of their events together cannot be told.
    if (state === null || state.status !== 'finished' || withHistory(state) !== 1) {
      this.glanced.delete(runId);
      return this.state(runId);
    }
    keepLast(this.glanced, runId, state);
    return state;
  }

  /** A run's events with the last ones of its history only; null where no history of it is long. */
  private lastEvents(runId: number): Iterable<StoredEvent> | null {
    for (const history of histories) {
      const events = this.parts.store.eventsWithoutHistory(runId, history);
      if (events !== null) return events;
    }
    return null;
  }

  /** What was kept of a run that is deleted. */
  forget(runId: number): void {
    this.folded.delete(runId);
    this.glanced.delete(runId);
  }

  /** One run whose events cannot be read must not hide all others: it has no state, and why is in the log. */
  private readable(runId: number, read: () => RunState | null): RunState | null {
    try {
      return read();
    } catch (cause) {
      // Folded half by now.
      this.forget(runId);
      const why = String(cause).slice(0, 2_000);
      if (!this.unread.has(runId)) this.parts.logger.warn('a run cannot be read', { runId, why });
      this.unread.add(runId);
      return null;
    }
  }
}

/** How many activations have a history, whatever is known of it. */
const withHistory = (state: RunState): number => {
  const long = new Set(histories.map(({ step }) => step));
  return Object.values(state.activations).filter(({ stepId }) =>
    long.has(stepDefinition(state, stepId)?.type ?? ''),
  ).length;
};

function keepLast(kept: Map<number, RunState>, runId: number, state: RunState): void {
  kept.delete(runId);
  kept.set(runId, state);
  const oldest = kept.keys().next().value;
  if (kept.size > MOST_FOLDED && oldest !== undefined) kept.delete(oldest);
}

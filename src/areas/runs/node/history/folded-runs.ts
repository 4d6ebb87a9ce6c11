import type { StoredEvent } from '@contract/run/events';
import { histories } from '@contract/run/features/feature-answers';
import { replay } from '@contract/run/reduce';
import { stepDefinition } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import type { Engine } from '@main/core/engine/engine';
import type { Logger } from '@main/core/ports/ports';
import type { Store } from '@main/core/ports/store/store';

interface FoldedRunsParts {
  readonly engine: Pick<Engine, 'live'>;
  readonly store: Pick<Store, 'log' | 'eventsWithoutHistory'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Maximum folded runs kept in memory. */
const MOST_FOLDED = 2;

/** States of runs, in memory or only in the log. Null for unreadable ones. */
export class FoldedRuns {
  /** Recently folded runs that are not in memory: reading a long one again costs nothing. */
  private readonly folded = new Map<number, RunState>();
  /** The same, without the earlier events of their histories. */
  private readonly glanced = new Map<number, RunState>();
  /** Runs that were already logged as unreadable. */
  private readonly unread = new Set<number>();

  constructor(private readonly parts: FoldedRunsParts) {}

  /** The state in memory, else folded from the log; for recently read runs only the new events. */
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
   * A run's state for callers that need only the last events of a history, such as a team's chat. For an
   * ended run the earlier ones are not even read, so their effect on counts is missing.
   */
  stateWithoutHistory(runId: number): RunState | null {
    const { engine, store } = this.parts;
    if (engine.live(runId) !== null || this.folded.has(runId)) return this.state(runId);
    const known = this.glanced.get(runId) ?? null;
    const state = this.readable(runId, () => {
      const events = known === null ? this.lastEvents(runId) : store.log.read(runId, known.seq);
      return events === null ? null : replay(events, known);
    });
    // The count of their combined events does not reveal from which of two activations events were omitted.
    if (state === null || state.status !== 'finished' || withHistory(state) !== 1) {
      this.glanced.delete(runId);
      return this.state(runId);
    }
    keepLast(this.glanced, runId, state);
    return state;
  }

  /** A run's events with only the last ones of its history; null if no history of it is long. */
  private lastEvents(runId: number): Iterable<StoredEvent> | null {
    for (const history of histories) {
      const events = this.parts.store.eventsWithoutHistory(runId, history);
      if (events !== null) return events;
    }
    return null;
  }

  /** Drops the cached state of a deleted run. */
  forget(runId: number): void {
    this.folded.delete(runId);
    this.glanced.delete(runId);
  }

  /** One unreadable run must not hide all others: it has no state, and the reason is logged. */
  private readable(runId: number, read: () => RunState | null): RunState | null {
    try {
      return read();
    } catch (cause) {
      // It may be half folded.
      this.forget(runId);
      const why = String(cause).slice(0, 2_000);
      if (!this.unread.has(runId)) this.parts.logger.warn('a run cannot be read', { runId, why });
      this.unread.add(runId);
      return null;
    }
  }
}

/** Number of activations with a history. */
const withHistory = (state: RunState): number => {
  const long = new Set(histories.map(({ step }) => step));
  return Object.values(state.activations).filter(({ stepId }) =>
    long.has(stepDefinition(state, stepId)?.type ?? ''),
  ).length;
};

function keepLast(cache: Map<number, RunState>, runId: number, state: RunState): void {
  cache.delete(runId);
  cache.set(runId, state);
  const oldest = cache.keys().next().value;
  if (cache.size > MOST_FOLDED && oldest !== undefined) cache.delete(oldest);
}

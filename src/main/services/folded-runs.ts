import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { SNAPSHOT_MESSAGES } from '@features/team/contract/thread';
import type { Engine } from '../core/engine/engine';
import type { Logger } from '../core/ports/ports';
import type { Store } from '../core/ports/store';

export interface FoldedRunsParts {
  readonly engine: Pick<Engine, 'live'>;
  readonly store: Pick<Store, 'log' | 'glance'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** So many are kept. */
const MOST_FOLDED = 2;

/** The states of runs, whether they are in memory or only in the log. One that cannot be read is null. */
export class FoldedRuns {
  /** Runs that are not in memory, as they were folded last: reading a long one again costs nothing. */
  private readonly folded = new Map<number, RunState>();
  /** The same without the earlier messages of their teams. */
  private readonly glanced = new Map<number, RunState>();
  /** Runs of which the log says already that they cannot be read. */
  private readonly unread = new Set<number>();

  constructor(private readonly parts: FoldedRunsParts) {}

  /** The state as it stands in memory, else folded from the log: of the runs read last only what came since. */
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
   * A run as it stands, for those who ask for no more of a team's chat than its last messages. Of a run that has ended
   * the earlier ones are not even read: what they still did to counts of messages is left out with them.
   */
  glance(runId: number): RunState | null {
    const { engine, store } = this.parts;
    if (engine.live(runId) !== null || this.folded.has(runId)) return this.state(runId);
    const known = this.glanced.get(runId) ?? null;
    const state = this.readable(runId, () => {
      const events =
        known === null ? store.glance(runId, SNAPSHOT_MESSAGES) : store.log.read(runId, known.seq);
      return events === null ? null : replay(events, known);
    });
    // Which of two teams was left out by the count of their messages together cannot be told.
    if (state === null || state.status !== 'finished' || teamsIn(state) !== 1) {
      this.glanced.delete(runId);
      return this.state(runId);
    }
    keepLast(this.glanced, runId, state);
    return state;
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

/** How many activations had a team, whatever is known of it. */
const teamsIn = ({ activations, definition }: RunState): number => {
  const steps = new Set(definition.steps.filter(({ type }) => type === 'step.team').map(({ id }) => id));
  return Object.values(activations).filter(({ stepId }) => steps.has(stepId)).length;
};

function keepLast(kept: Map<number, RunState>, runId: number, state: RunState): void {
  kept.delete(runId);
  kept.set(runId, state);
  const oldest = kept.keys().next().value;
  if (kept.size > MOST_FOLDED && oldest !== undefined) kept.delete(oldest);
}

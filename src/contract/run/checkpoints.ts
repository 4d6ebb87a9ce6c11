import type { StoredEvent } from './events';
import { foldOnto, RunFold } from './fold';
import type { RunState } from './state';

type FoldedEvent = Pick<StoredEvent, 'seq' | 'at' | 'event'>;

/** At most so many states are kept, at equal distances. They share every entry that is the same in both. */
const MOST_CHECKPOINTS = 128;

/**
 * States of a run at equal distances, so that its state after any event costs a fold from the state before it. When there
 * are too many, every second one is dropped and the distance doubles: memory stays bounded however long the run gets.
 */
export class Checkpoints {
  readonly #fold = new RunFold();
  readonly #most: number;
  #kept: RunState[] = [];
  #distance: number;

  constructor(most = MOST_CHECKPOINTS, distance = 16) {
    this.#most = most;
    this.#distance = distance;
  }

  /** The last event that was added. */
  get seq(): number {
    return this.#fold.seq;
  }

  /** Events between two states: reading a moment folds at most so many. */
  get distance(): number {
    return this.#distance;
  }

  /** The next events of the run, in order. */
  add(events: Iterable<FoldedEvent>): void {
    for (const event of events) {
      this.#fold.apply(event);
      if (event.seq % this.#distance === 1) this.#keep();
    }
  }

  #keep(): void {
    const { state } = this.#fold;
    if (state !== null) this.#kept.push(state);
    if (this.#kept.length <= this.#most) return;
    this.#distance *= 2;
    this.#kept = this.#kept.filter(({ seq }) => seq % this.#distance === 1);
  }

  /** The last kept state at this event or before it; null before the first. */
  before(seq: number): RunState | null {
    return this.#kept.findLast((state) => state.seq <= seq) ?? null;
  }

  /** The state right after an event. `read` gives the events after one up to another. */
  stateAt(seq: number, read: (after: number, to: number) => Iterable<FoldedEvent>): RunState | null {
    const from = this.before(seq);
    return from?.seq === seq ? from : foldOnto(from, read(from?.seq ?? 0, seq));
  }
}

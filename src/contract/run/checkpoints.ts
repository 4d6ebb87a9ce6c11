import type { StoredEvent } from './events';
import { foldOnto, RunFold } from './fold';
import type { RunState } from './state';

type FoldedEvent = Pick<StoredEvent, 'seq' | 'at' | 'event'>;

/** The maximum number of states kept, at equal distances. They share their unchanged entries. */
const MOST_CHECKPOINTS = 128;

/**
 * Keeps states of a run at equal distances, so that any past state costs a fold from the nearest earlier one.
 * When there are too many, every second is dropped and the distance doubles, which bounds memory.
 */
export class Checkpoints {
  readonly #fold = new RunFold();
  #kept: RunState[] = [];
  #distance: number;

  constructor(
    private readonly most = MOST_CHECKPOINTS,
    distance = 16,
  ) {
    this.#distance = distance;
  }

  /** The last event that was added. */
  get seq(): number {
    return this.#fold.seq;
  }

  /** Events between two kept states: at most this many are folded to reach a moment. */
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
    if (this.#kept.length <= this.most) return;
    this.#distance *= 2;
    this.#kept = this.#kept.filter(({ seq }) => seq % this.#distance === 1);
  }

  /** The last kept state at or before this event; null if there is none. */
  before(seq: number): RunState | null {
    return this.#kept.findLast((state) => state.seq <= seq) ?? null;
  }

  /** The state right after an event. `read` returns the events after one up to another. */
  stateAt(seq: number, read: (after: number, to: number) => Iterable<FoldedEvent>): RunState | null {
    const from = this.before(seq);
    return from?.seq === seq ? from : foldOnto(from, read(from?.seq ?? 0, seq));
  }
}

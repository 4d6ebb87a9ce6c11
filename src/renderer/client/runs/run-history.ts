import type { AppError } from '@contract/errors';
import type { Result } from '@contract/result';
import { Checkpoints } from '@contract/run/checkpoints';
import type { StoredEvent } from '@contract/run/events';
import { foldOnto } from '@contract/run/fold';
import { type Mark, markOf } from '@contract/run/marks';
import type { RunState } from '@contract/run/state';
import { Cell, type Readable } from '../store';
import { emptyReplica, type ReplicaView } from './replica';

/** Events per request: parsing them takes less than a frame. */
const PAGE = 256;

/** Maximum number of cached pages: several times the pages of one look back. */
const MOST_PAGES = 32;

/** Maximum number of cached moments, so that a step back and forth costs nothing. */
const MOST_VIEWS = 24;

type Fetch = (afterSeq: number, limit: number) => Promise<Result<StoredEvent[]>>;

/**
 * The past of one run. Its events are read once, page by page, to make checkpoints and find the marks. After
 * that a moment costs the pages since the checkpoint before it. Pages and moments are dropped oldest first.
 */
export class RunHistory {
  readonly #fetch: Fetch;
  readonly #points = new Checkpoints();
  readonly #pages = new Map<number, StoredEvent[]>();
  readonly #views = new Map<number, ReplicaView>();
  readonly #wanted = new Map<number, number>();
  readonly #changes: Cell<number>;
  readonly #times: number[] = [];
  readonly #marks: Mark[] = [];
  #reading = false;
  #again = false;
  #ended = false;
  #error: AppError | null = null;

  constructor(fetch: Fetch, start: (past: RunHistory) => () => void) {
    this.#fetch = fetch;
    this.#changes = new Cell(0, () => start(this));
  }

  /** Counts new data; a subscription keeps the past in memory. */
  get changes(): Readable<number> {
    return this.#changes;
  }

  /** The last event that was read. */
  get seq(): number {
    return this.#points.seq;
  }

  /** Whether the whole history was read once. */
  get isWhole(): boolean {
    return this.#ended;
  }

  get error(): AppError | null {
    return this.#error;
  }

  /** The time of each event, first one first. */
  get times(): readonly number[] {
    return this.#times;
  }

  get marks(): readonly Mark[] {
    return this.#marks;
  }

  /** Reads the missing part. */
  async read(): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return;
    }
    this.#reading = true;
    do {
      this.#again = false;
      await this.#readToEnd();
    } while (this.#again);
    this.#reading = false;
  }

  async #readToEnd(): Promise<void> {
    for (;;) {
      const page = Math.floor(this.#points.seq / PAGE);
      const events = await this.#page(page, true);
      if (events === null) return;
      const fresh = events.filter(({ seq }) => seq > this.#points.seq);
      this.#points.add(fresh);
      for (const event of fresh) {
        this.#times.push(event.at);
        const mark = markOf(event);
        if (mark !== null) this.#marks.push(mark);
      }
      this.#ended ||= events.length < PAGE;
      this.#changed();
      await this.#look();
      if (events.length < PAGE) return;
    }
  }

  /** A page; null if it cannot be read. `whole`: a page that may have grown is read again. */
  async #page(page: number, whole: boolean): Promise<StoredEvent[] | null> {
    const known = this.#pages.get(page);
    if (known !== undefined && (!whole || known.length === PAGE)) return known;
    const result = await this.#fetch(page * PAGE, PAGE);
    this.#error = result.ok ? null : result.error;
    if (!result.ok) {
      this.#changed();
      return null;
    }
    keep(this.#pages, { key: page, value: result.value, most: MOST_PAGES });
    return result.value;
  }

  /** The run right after an event. A subscription reads the missing part. */
  at(seq: number): Readable<ReplicaView> {
    return {
      get: () => this.#view(seq),
      subscribe: (listener) => {
        this.#wanted.set(seq, (this.#wanted.get(seq) ?? 0) + 1);
        const end = this.#changes.subscribe(listener);
        void this.#look();
        return () => {
          end();
          const left = (this.#wanted.get(seq) ?? 1) - 1;
          if (left > 0) this.#wanted.set(seq, left);
          else this.#wanted.delete(seq);
        };
      },
    };
  }

  #view(seq: number): ReplicaView {
    const known = this.#views.get(seq) ?? this.#fromPages(seq);
    if (known !== null) return known;
    return this.#error === null ? emptyReplica : this.#failed(this.#error);
  }

  #failure: ReplicaView | null = null;
  #failed(error: AppError): ReplicaView {
    if (this.#failure?.error !== error) this.#failure = { ...emptyReplica, status: 'failed', error };
    return this.#failure;
  }

  /** Computes the state from pages in memory; null if one is missing, or the run was not read that far. */
  #fromPages(wanted: number): ReplicaView | null {
    const seq = this.#ended ? Math.min(wanted, this.#points.seq) : wanted;
    if (seq < 1 || seq > this.#points.seq) return null;
    const from = this.#nearest(seq);
    const events: StoredEvent[] = [];
    for (let at = from?.seq ?? 0; at < seq; ) {
      const event = this.#pages.get(Math.floor(at / PAGE))?.[at % PAGE];
      if (event === undefined) return null;
      events.push(event);
      at += 1;
    }
    const state = foldOnto(from, events);
    const view: ReplicaView = { status: 'ready', row: null, state, error: null };
    keep(this.#views, { key: wanted, value: view, most: MOST_VIEWS });
    return view;
  }

  /** The newest known state at or before the event: a checkpoint or a cached moment. */
  #nearest(seq: number): RunState | null {
    let best = this.#points.before(seq);
    for (const { state } of this.#views.values())
      if (state !== null && state.seq <= seq && state.seq > (best?.seq ?? 0)) best = state;
    return best;
  }

  /** Reads the pages of the watched moments. */
  async #look(): Promise<void> {
    for (const seq of [...this.#wanted.keys()]) {
      if (this.#views.has(seq) || seq > this.#points.seq) continue;
      const from = this.#nearest(seq)?.seq ?? 0;
      for (let page = Math.floor(from / PAGE); page * PAGE < seq; page += 1) {
        const events = await this.#page(page, page * PAGE + (this.#pages.get(page)?.length ?? PAGE) < seq);
        // Another moment is wanted by now, or the core is unavailable.
        if (events === null || !this.#wanted.has(seq)) break;
      }
      if (this.#fromPages(seq) !== null) this.#changed();
    }
  }

  #changed(): void {
    this.#changes.update((count) => count + 1);
  }
}

interface CacheEntry<K, V> {
  readonly key: K;
  readonly value: V;
  readonly most: number;
}

/** Puts an entry last, and drops the first one where there are too many. */
function keep<K, V>(all: Map<K, V>, { key, value, most }: CacheEntry<K, V>): void {
  all.delete(key);
  all.set(key, value);
  if (all.size <= most) return;
  for (const oldest of all.keys()) {
    all.delete(oldest);
    return;
  }
}

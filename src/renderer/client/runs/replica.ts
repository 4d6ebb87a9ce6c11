import { type AppError, appError } from '@contract/errors';
import type { Result } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import { RunFold } from '@contract/run/fold';
import type { RunRow, RunSnapshot } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';

/**
 * The shown state of a run. A state is immutable: each event makes a new one, which shares the unchanged
 * parts.
 */
export interface ReplicaView {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly row: RunRow | null;
  readonly state: RunState | null;
  readonly error: AppError | null;
}

export const emptyReplica: ReplicaView = {
  status: 'loading',
  row: null,
  state: null,
  error: null,
};

/**
 * A snapshot may be older than the events already pushed; this many reads are tried before that counts as an
 * error.
 */
const MOST_READS = 5;

/**
 * One run as the core has it: a snapshot, and each later event through the same reducer. A gap in the events
 * means that some were missed: the snapshot is read again, and events that arrived meanwhile are kept.
 */
export class Replica {
  readonly #fetch: () => Promise<Result<RunSnapshot>>;
  readonly #show: (view: ReplicaView) => void;
  #view = emptyReplica;
  #fold = new RunFold();
  #waiting: StoredEvent[] = [];
  #reading = false;
  #again = false;
  #reads = 0;

  constructor(fetch: () => Promise<Result<RunSnapshot>>, show: (view: ReplicaView) => void) {
    this.#fetch = fetch;
    this.#show = show;
  }

  receive(events: readonly StoredEvent[]): void {
    this.#waiting.push(...events);
    if (this.#reading || this.#view.state === null) return;
    this.#apply();
  }

  receiveRow(row: RunRow): void {
    if (this.#view.row !== null && this.#view.row.id === row.id) this.#change({ row });
  }

  async read(): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return;
    }
    this.#reading = true;
    this.#reads += 1;
    const result = await this.#fetch();
    this.#reading = false;
    if (this.#again) {
      this.#again = false;
      return this.read();
    }
    if (!result.ok) return this.#change({ status: 'failed', error: result.error });
    this.#fold = new RunFold(result.value.state);
    this.#view = { ...this.#view, ...result.value, status: 'ready', error: null };
    this.#apply();
    this.#change({});
  }

  #apply(): void {
    if (this.#view.state === null) return;
    const fold = this.#fold;
    const events = this.#waiting;
    this.#waiting = [];
    for (const [index, event] of events.entries()) {
      if (event.seq <= fold.seq) continue;
      if (event.seq !== fold.seq + 1) {
        this.#waiting = events.slice(index);
        this.#change({ state: fold.state });
        this.#missed(event);
        return;
      }
      fold.apply(event);
    }
    this.#reads = 0;
    this.#change({ state: fold.state });
  }

  #missed(event: StoredEvent): void {
    if (this.#reads < MOST_READS) {
      void this.read();
      return;
    }
    this.#reads = 0;
    this.#waiting = [];
    // Events after one that this Muster cannot read are never shown, and the page says so.
    if (this.#view.row?.unreadable !== undefined) return;
    const seq = this.#view.state?.seq ?? 0;
    const message = `Events ${seq + 1} to ${event.seq - 1} of the run did not arrive, though it was read ${MOST_READS} times.`;
    this.#change({
      status: 'failed',
      error: appError('unavailable', message, { mend: 'Reload the window.' }),
    });
  }

  #change(change: Partial<ReplicaView>): void {
    this.#view = { ...this.#view, ...change };
    this.#show(this.#view);
  }
}

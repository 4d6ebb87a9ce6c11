import type { AppError } from '@contract/errors';
import type { Result } from '@contract/result';
import { READ_TOGETHER_MS } from '../../limits';
import { Cell } from '../store';

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

interface PagedView<Row> extends Page<Row> {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error: AppError | null;
}

interface PagedSource<Row> {
  readonly fetch: (before: number | undefined) => Promise<Result<Page<Row>>>;
  readonly idOf: (row: Row) => number;
  /** Whether a pushed row belongs in this list; `null` if only the core knows, as with a search. */
  readonly accepts: (row: Row) => boolean | null;
  readonly follow: (heard: (rows: readonly Row[]) => void, lost: () => void) => () => void;
}

/** Rows newest first, read page by page towards the past; pushed rows are inserted in order. */
export class PagedList<Row> {
  readonly #source: PagedSource<Row>;
  readonly view: Cell<PagedView<Row>>;
  #reads = 0;
  #readingMore = false;
  #later: ReturnType<typeof setTimeout> | null = null;

  constructor(source: PagedSource<Row>, ended: () => void = () => {}) {
    this.#source = source;
    const empty: PagedView<Row> = { rows: [], more: false, status: 'loading', error: null };
    this.view = new Cell(empty, () => {
      void this.read();
      const stop = source.follow(
        (rows) => this.receive(rows),
        () => void this.read(),
      );
      return () => {
        stop();
        ended();
      };
    });
  }

  async read(): Promise<void> {
    await this.#readFirst((page) => page);
  }

  /** Reads the first page again. Rows of later pages stay: someone may be looking at them. */
  async #readAgain(): Promise<void> {
    const { idOf } = this.#source;
    await this.#readFirst((page) => {
      const last = page.rows.at(-1);
      const { rows, more } = this.view.get();
      if (!page.more || last === undefined) return page;
      const beyond = rows.filter((row) => idOf(row) < idOf(last));
      return beyond.length === 0 ? page : { rows: [...page.rows, ...beyond], more };
    });
  }

  async #readFirst(withOlder: (page: Page<Row>) => Page<Row>): Promise<void> {
    this.#reads += 1;
    const mine = this.#reads;
    const result = await this.#source.fetch(undefined);
    if (mine !== this.#reads) return;
    if (result.ok) this.view.set({ ...withOlder(result.value), status: 'ready', error: null });
    else this.view.update((view) => ({ ...view, status: 'failed', error: result.error }));
  }

  readonly readMore = async (): Promise<void> => {
    const { rows, more } = this.view.get();
    const last = rows.at(-1);
    if (!more || last === undefined || this.#readingMore) return;
    this.#readingMore = true;
    const reads = this.#reads;
    const result = await this.#source.fetch(this.#source.idOf(last));
    this.#readingMore = false;
    if (reads !== this.#reads || !result.ok) return;
    const page = result.value;
    this.view.update((view) => ({ ...view, rows: [...view.rows, ...page.rows], more: page.more }));
  };

  receive(pushed: readonly Row[]): void {
    const view = this.view.get();
    if (view.status === 'loading') return;
    // Whether a push is missing can be known only by reading.
    if (view.status === 'failed') return void this.read();
    let rows: readonly Row[] = view.rows;
    for (const row of pushed) {
      const accepted = this.#source.accepts(row);
      if (accepted === null) this.#readLater();
      rows = this.#place(rows, row, accepted);
    }
    this.view.set({ ...view, rows });
  }

  #place(rows: readonly Row[], row: Row, accepted: boolean | null): readonly Row[] {
    const { idOf } = this.#source;
    const id = idOf(row);
    const known = rows.some((other) => idOf(other) === id);
    if (known && accepted === false) return rows.filter((other) => idOf(other) !== id);
    if (known) return rows.map((other) => (idOf(other) === id ? row : other));
    if (accepted !== true) return rows;
    const at = rows.findIndex((other) => idOf(other) < id);
    // A row older than the last one read will arrive with its page.
    if (at < 0) return this.view.get().more ? rows : [...rows, row];
    return [...rows.slice(0, at), row, ...rows.slice(at)];
  }

  #readLater(): void {
    if (this.#later !== null) return;
    this.#later = setTimeout(() => {
      this.#later = null;
      void this.#readAgain();
    }, READ_TOGETHER_MS);
  }
}

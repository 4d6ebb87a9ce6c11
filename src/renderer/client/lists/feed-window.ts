import type { AppError } from '@contract/errors';
import type { Result } from '@contract/result';
import { READ_RETRY_MS, READ_TOGETHER_MS } from '../../limits';
import { Cell } from '../store';
import type { Page } from './paged-list';

export interface FeedWindowView<Row> {
  /** Consecutive rows, newest first. */
  readonly rows: readonly Row[];
  /** Number of rows above the first for which space is reserved: dropped after reading, or not yet read. */
  readonly base: number;
  /** By how many rows everything has moved down in total. With it the visible rows keep their position. */
  readonly moved: number;
  readonly older: boolean;
  readonly newer: boolean;
  /** Incremented when the window was opened elsewhere; `at` is the end of it to scroll to. */
  readonly place: { readonly count: number; readonly at: 'first' | 'last' };
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error: AppError | null;
}

interface FeedWindowSource<Row> {
  /** The newest rows before a row, or the adjacent rows newer than one; newest first. */
  readonly fetch: (
    from: { readonly before?: number } | { readonly after: number },
  ) => Promise<Result<Page<Row>>>;
  readonly idOf: (row: Row) => number;
  /** Whether a pushed row belongs in this list; `null` if only the core knows, as with a search. */
  readonly accepts: (row: Row) => boolean | null;
  readonly follow: (heard: (rows: readonly Row[]) => void, lost: () => void) => () => void;
  /** The row to begin with; none for the newest. */
  readonly from?: number | undefined;
}

/** Rows held in memory; the others only take up room. */
const MOST_ROWS = 1_200;
/** Room for rows that are not read, so that there is where to scroll to. */
const ROOM = 10_000;

/**
 * A window on a list of any length, read by cursor in both directions; rows far away are dropped. Rows have
 * fixed positions: nothing moves when rows are dropped or read again, so a million rows scroll like a
 * thousand.
 */
export class FeedWindow<Row> {
  readonly view: Cell<FeedWindowView<Row>>;
  #reads = 0;
  #reading = false;
  /** Number of pending openings elsewhere. */
  #placing = 0;
  #followed = false;
  /**
   * Rows may have been missed: until they are read, no row is put before the first one, as this would leave a
   * gap.
   */
  #behind = false;
  #catching = false;
  #later: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly source: FeedWindowSource<Row>,
    ended: () => void = () => {},
  ) {
    const empty: FeedWindowView<Row> = {
      rows: [],
      base: 0,
      moved: 0,
      older: false,
      newer: false,
      place: { count: 0, at: 'first' },
      status: 'loading',
      error: null,
    };
    this.view = new Cell(empty, () => {
      this.#followed = true;
      void this.open(source.from);
      const stop = source.follow(
        (rows) => this.receive(rows),
        () => void this.catchUp(),
      );
      return () => {
        stop();
        this.#followed = false;
        if (this.#later !== null) clearTimeout(this.#later);
        ended();
      };
    });
  }

  /** Opens the list at this row and older ones, or at the newest row. */
  async open(from?: number): Promise<void> {
    const fetch = from === undefined ? {} : { before: from + 1 };
    await this.#place(fetch, (page) => this.#opened(page, { newer: from !== undefined, at: 'first' }));
  }

  async toOldest(): Promise<void> {
    await this.#place({ after: 0 }, (page) =>
      this.#opened({ rows: page.rows, more: false }, { newer: page.more, at: 'last' }),
    );
  }

  async readOlder(): Promise<void> {
    const last = this.view.get().rows.at(-1);
    if (last === undefined || !this.view.get().older) return;
    await this.#more({ before: this.source.idOf(last) }, (view, page) => {
      const all = [...view.rows, ...page.rows];
      const over = Math.max(0, all.length - MOST_ROWS);
      return {
        ...view,
        rows: all.slice(over),
        base: view.base + over,
        older: page.more,
        newer: view.newer || over > 0,
      };
    });
  }

  async readNewer(): Promise<void> {
    const first = this.view.get().rows[0];
    if (first === undefined || !this.view.get().newer) return;
    await this.#more({ after: this.source.idOf(first) }, (view, page) => prepended(view, page));
  }

  /** Reads rows that may have been missed. */
  async catchUp(): Promise<void> {
    const { rows, newer } = this.view.get();
    const first = rows[0];
    if (first === undefined) return this.open(this.source.from);
    if (newer) return;
    this.#behind = true;
    await this.#goAfter();
  }

  /** Reads missed rows, after any pending read. A failed read is retried. */
  async #goAfter(): Promise<void> {
    if (this.#reading || this.#placing > 0 || this.#catching) return;
    this.#catching = true;
    let ok = true;
    for (let first = this.#first(); this.#behind && ok && first !== undefined; first = this.#first()) {
      this.#behind = false;
      ok = await this.#more({ after: this.source.idOf(first) }, (view, page) => prepended(view, page));
      if (this.#placing > 0) break;
    }
    this.#catching = false;
    // Newer rows that are known to be unread are read when the operator scrolls there.
    if (this.#first() === undefined) this.#behind = false;
    if (ok) return;
    this.#behind = true;
    this.#catchUpLater(READ_RETRY_MS);
  }

  /** The newest row of all; undefined if newer ones are known to be unread. */
  #first(): Row | undefined {
    const { rows, newer } = this.view.get();
    return newer ? undefined : rows[0];
  }

  receive(pushed: readonly Row[]): void {
    const view = this.view.get();
    if (view.status === 'loading') return;
    // Nothing was read yet: the pushed rows are not the whole list.
    if (view.status === 'failed' && view.rows.length === 0) return this.#catchUpLater();
    const { idOf, accepts } = this.source;
    const known = new Map(view.rows.map((row) => [idOf(row), row]));
    const first = view.rows[0];
    const fresh = pushed
      .filter((row) => !known.has(idOf(row)) && (first === undefined || idOf(row) > idOf(first)))
      .sort((a, b) => idOf(b) - idOf(a));
    if (fresh.some((row) => accepts(row) === null)) this.#catchUpLater();
    const taken = fresh.filter((row) => accepts(row) === true);
    // Unread rows lie between the pushed ones and the first.
    if (taken.length === 0 || view.newer) return;
    if (this.#behind || this.#catching) {
      this.#behind = true;
      if (this.#later === null) void this.#goAfter();
      return;
    }
    this.view.set(prepended(view, { rows: taken, more: false }));
  }

  #catchUpLater(ms = READ_TOGETHER_MS): void {
    if (this.#later !== null || !this.#followed) return;
    this.#later = setTimeout(() => {
      this.#later = null;
      void this.catchUp();
    }, ms);
  }

  #opened(page: Page<Row>, { newer, at }: { newer: boolean; at: 'first' | 'last' }): FeedWindowView<Row> {
    const view = this.view.get();
    const base = newer ? ROOM : 0;
    const moved = view.moved + base - view.base;
    const place = { count: view.place.count + 1, at };
    const { rows, more } = page;
    return { rows, older: more, newer, base, moved, place, status: 'ready', error: null };
  }

  async #place(
    from: { before?: number } | { after: number },
    next: (page: Page<Row>) => FeedWindowView<Row>,
  ): Promise<void> {
    this.#reads += 1;
    const mine = this.#reads;
    // This read includes everything missed so far.
    const behind = this.#behind;
    this.#behind = false;
    this.#placing += 1;
    const result = await this.source.fetch(from);
    this.#placing -= 1;
    if (mine === this.#reads && result.ok) this.view.set(next(result.value));
    else if (mine === this.#reads && !result.ok) {
      this.#behind ||= behind;
      this.view.update((view) => ({ ...view, status: 'failed', error: result.error }));
    }
    if (this.#behind) await this.#goAfter();
  }

  /** False if it failed. */
  async #more(
    from: { before: number } | { after: number },
    next: (view: FeedWindowView<Row>, page: Page<Row>) => FeedWindowView<Row>,
  ): Promise<boolean> {
    if (this.#reading) return true;
    this.#reading = true;
    const reads = this.#reads;
    const result = await this.source.fetch(from);
    this.#reading = false;
    if (reads === this.#reads) {
      if (result.ok)
        this.view.update((view) => ({ ...next(view, this.#beside(view, result.value)), error: null }));
      else this.view.update((view) => ({ ...view, error: result.error }));
    }
    if (this.#behind) await this.#goAfter();
    return result.ok || reads !== this.#reads;
  }

  /** Without the rows that were pushed while the page was read. */
  #beside(view: FeedWindowView<Row>, page: Page<Row>): Page<Row> {
    const { idOf } = this.source;
    const known = new Set(view.rows.map(idOf));
    return { ...page, rows: page.rows.filter((row) => !known.has(idOf(row))) };
  }
}

/** Puts newer rows before the others. If no space is reserved for them, everything moves down. */
function prepended<Row>(view: FeedWindowView<Row>, page: Page<Row>): FeedWindowView<Row> {
  const all = [...page.rows, ...view.rows];
  const rows = all.slice(0, MOST_ROWS);
  const wanted = page.more ? ROOM : 0;
  const left = view.base - page.rows.length;
  // Reserved space that is too small, or that is no longer needed.
  const base = !page.more || left < page.rows.length ? wanted : left;
  return {
    ...view,
    rows,
    base,
    moved: view.moved + base - left,
    newer: page.more,
    older: view.older || rows.length < all.length,
  };
}

import type { AppError } from '@contract/errors';
import type { ProcedureOutput } from '@contract/ipc';
import type { Result } from '@contract/result';
import { SHOWN_LOG_BYTES } from '../../contract/limits';

type Page = ProcedureOutput<'loop.log'>;

export interface LogView {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error: AppError | null;
  /** Null: there is no such file. */
  readonly path: string | null;
  readonly size: number;
  /** Start of the shown text, in bytes. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
  readonly overwritten: boolean;
  /** The window's limit is reached. */
  readonly full: boolean;
}

export const emptyLog: LogView = {
  status: 'loading',
  error: null,
  path: null,
  size: 0,
  from: 0,
  to: 0,
  lines: [],
  overwritten: false,
  full: false,
};

const PAGE = 256 * 1024;

/** Reads a log page by page, from its beginning or from near its end, and continues as it grows. */
export class LogReader {
  #view = emptyLog;
  #reading = false;
  #ended = false;
  /** The last line, until its line end has been read. */
  #rest = '';

  constructor(
    private readonly fetch: (from: number, bytes: number) => Promise<Result<Page>>,
    private readonly show: (view: LogView) => void,
  ) {}

  get view(): LogView {
    return this.#view;
  }

  get atEnd(): boolean {
    return this.#view.status === 'ready' && this.#view.to >= this.#view.size;
  }

  end(): void {
    this.#ended = true;
  }

  /** Restarts: at `from`, or one page before the end. */
  async begin(at: 'start' | 'end'): Promise<void> {
    if (this.#reading) return;
    this.#rest = '';
    const from = at === 'start' ? 0 : Math.max(0, this.#view.size - PAGE);
    this.#view = { ...this.#view, from, to: from, lines: [], full: false };
    await this.more();
  }

  /** Reads the next page, if there is one. */
  async more(): Promise<void> {
    if (this.#reading || this.#view.full || this.#ended) return;
    this.#reading = true;
    const { to } = this.#view;
    const page = await this.fetch(to, PAGE);
    this.#reading = false;
    if (this.#ended) return;
    if (!page.ok) return this.#set({ status: 'failed', error: page.error });
    this.#add(page.value);
  }

  #add(page: Page): void {
    const { path, size, overwritten } = page;
    // A shorter file is another file: the text read so far is not part of it.
    const fresh = size < this.#view.to || page.from !== this.#view.to;
    if (fresh) {
      this.#rest = '';
      this.#view = { ...this.#view, lines: [], from: 0, to: 0 };
    }
    if (fresh && page.from > 0) return this.#set({ status: 'ready', error: null, path, size, overwritten });
    const parts = (this.#rest + page.text).split('\n');
    const shown = this.#rest === '' ? this.#view.lines : this.#view.lines.slice(0, -1);
    const last = parts.pop() ?? '';
    this.#rest = last;
    const lines = page.text === '' ? this.#view.lines : [...shown, ...parts, ...(last === '' ? [] : [last])];
    const full = page.to - this.#view.from >= SHOWN_LOG_BYTES;
    this.#set({ status: 'ready', error: null, path, size, to: page.to, lines, overwritten, full });
  }

  #set(change: Partial<LogView>): void {
    this.#view = { ...this.#view, ...change };
    this.show(this.#view);
  }
}

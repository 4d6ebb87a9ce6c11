import type { AppError } from '@contract/errors';
import { errorLines } from './error-lines';
import { json, visible } from './escape-controls';
import { type Style, styleFor } from './style';

export interface Stream {
  /** False if the text stays in memory until its reader accepts it; then `drain` follows. */
  write(text: string): unknown;
  once?(event: 'drain' | 'close' | 'error', done: () => void): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** A command's results: text for a person, or JSON for a program. */
export class Output {
  readonly style: Style;
  readonly width: number | undefined;

  #spoke = false;

  /** Whether any result was printed. */
  get hasSpoken(): boolean {
    return this.#spoke;
  }

  constructor(
    private readonly streams: { readonly out: Stream; readonly err: Stream; readonly env: NodeJS.ProcessEnv },
    readonly json: boolean,
  ) {
    this.style = styleFor(streams.out, streams.env);
    this.width = streams.out.isTTY === true ? streams.out.columns : undefined;
  }

  /** The only document of a command that has one. */
  document(value: unknown, lines: () => readonly string[]): void {
    if (this.json) this.print(json(value, 2));
    else for (const line of lines()) this.say(line);
  }

  /** One of many records, printed as it arrives. */
  record(value: unknown, lines: () => readonly string[]): void {
    if (this.json) this.print(json(value));
    else for (const line of lines()) this.say(line);
  }

  /** A part of a long text, unchanged into a file or another program. Resolves when the reader is ready for the next one. */
  async part(text: string): Promise<void> {
    const { out } = this.streams;
    this.#spoke = true;
    if (out.write(out.isTTY === true ? visible(text) : text) !== false || out.once === undefined) return;
    await new Promise<void>((resolve) => {
      for (const event of ['drain', 'close', 'error'] as const) out.once?.(event, resolve);
    });
  }

  /** After the last part: a line end for a terminal, and after JSON. */
  endOfParts(isText: boolean): void {
    if (!isText || this.streams.out.isTTY === true) this.streams.out.write('\n');
  }

  /** For people only, and separate from results. */
  note(text: string): void {
    if (!this.json) this.tell(text);
  }

  /** Something the operator must know, even if a program reads the results. */
  warn(text: string): void {
    this.tell(text);
  }

  error(error: AppError, usage?: string): void {
    if (this.json) this.print(json({ error }));
    else this.tell([...errorLines(error), ...(usage === undefined ? [] : [usage])].join('\n'));
  }

  private tell(text: string): void {
    this.streams.err.write(`${visible(text)}\n`);
  }

  /** Lines for people are read in a terminal at last, also those that pass through a pipe, a pager or a log first. */
  private say(text: string): void {
    this.print(visible(text));
  }

  private print(text: string): void {
    this.#spoke = true;
    this.streams.out.write(`${text}\n`);
  }
}

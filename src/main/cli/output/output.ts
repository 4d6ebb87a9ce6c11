import type { AppError } from '@contract/errors';
import { errorLines } from './error-lines';
import { type Style, styleFor } from './style';
import { json, visible } from './visible';

export interface Stream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** Where a command says what it found: words for a person, or JSON for a program. */
export class Output {
  readonly style: Style;
  readonly width: number | undefined;

  #spoke = false;

  /** Whether anything that was asked for is out. */
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

  /** The one document of a command that has one. */
  document(value: unknown, lines: () => readonly string[]): void {
    if (this.json) this.print(json(value, 2));
    else for (const line of lines()) this.say(line);
  }

  /** One of many, as it comes. */
  record(value: unknown, lines: () => readonly string[]): void {
    if (this.json) this.print(json(value));
    else for (const line of lines()) this.say(line);
  }

  /** One value whole: a text exactly as it is, also where it has no line end; anything else as JSON. */
  whole(value: unknown): void {
    const { out } = this.streams;
    this.#spoke = true;
    if (typeof value !== 'string' || this.json) out.write(`${json(value, 2)}\n`);
    else out.write(out.isTTY === true ? `${visible(value)}\n` : value);
  }

  /** For a person only, and apart from what was asked for. */
  note(text: string): void {
    if (!this.json) this.tell(text);
  }

  /** What the operator must know, also where a program reads the answer. */
  warn(text: string): void {
    this.tell(text);
  }

  error(error: AppError, usage?: string): void {
    if (this.json) this.print(json({ error }));
    else this.tell([...errorLines(error), ...(usage === undefined ? [] : [usage])].join('\n'));
  }

  private tell(text: string): void {
    const { err } = this.streams;
    err.write(`${err.isTTY === true ? visible(text) : text}\n`);
  }

  /** Into a file or another program it goes exactly as it is. */
  private say(text: string): void {
    this.print(this.streams.out.isTTY === true ? visible(text) : text);
  }

  private print(text: string): void {
    this.#spoke = true;
    this.streams.out.write(`${text}\n`);
  }
}

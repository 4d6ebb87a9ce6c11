import { closeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import * as nodePty from 'node-pty';
import { ERRORS_DRAIN_MS } from '../../../limits/terminal-host';
import { EndMark } from './exit-hold';

/** What node-pty has, but does not declare. */
interface Native {
  open(cols: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string };
  resize(fd: number, cols: number, rows: number, widthPx: number, heightPx: number): void;
}
const native = (nodePty as unknown as { readonly native: Native | null }).native;

interface Size {
  readonly cols: number;
  readonly rows: number;
}

/**
 * A second pseudo terminal for a program's standard error: a terminal too, so that the program prints as it would in
 * one, and still another one than that of standard output.
 */
export class ErrorTerminal {
  /** Resolves when the mark was read, and with it everything before. */
  readonly #marked: Promise<void>;
  readonly #stream: ReadStream;
  readonly #end: EndMark;

  private constructor(
    private readonly fds: ReturnType<Native['open']>,
    mark: string,
    take: (piece: Buffer) => void,
  ) {
    this.#end = new EndMark(mark);
    this.#stream = new ReadStream(fds.master);
    this.#stream.on('error', () => undefined);
    this.#marked = new Promise((resolve) => {
      this.#stream.on('data', (piece: Buffer) => {
        take(this.#end.push(piece));
        if (this.#end.found) resolve();
      });
    });
  }

  /** Null where there is none: on Windows, or if the system has no terminal left. */
  static open(size: Size, mark: string, take: (piece: Buffer) => void): ErrorTerminal | null {
    if (native === null) return null;
    try {
      return new ErrorTerminal(native.open(size.cols, size.rows), mark, take);
    } catch {
      return null;
    }
  }

  /** `/dev/pts/6`: opened by the program itself. */
  get path(): string {
    return this.fds.pty;
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  resize({ cols, rows }: Size): void {
    native?.resize(this.fds.master, cols, rows, 0, 0);
  }

  /** Reads what is left and closes it. A program that was killed prints no mark. */
  async close(take: (piece: Buffer) => void): Promise<void> {
    this.resume();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ERRORS_DRAIN_MS);
    });
    await Promise.race([this.#marked, late]);
    clearTimeout(timer);
    take(this.#end.rest());
    this.#stream.destroy();
    // Open until now: without any program on it the system would end the terminal, and what is unread with it.
    closeSync(this.fds.slave);
  }
}

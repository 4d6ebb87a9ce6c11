import { ERRORS_BEHIND_BYTES, ERRORS_BEHIND_MS } from '../../../limits/terminal-host';

/**
 * Holds what came by standard error until the standard output that was printed before it has been read: the system
 * gives the two in no order, and the question of `read -p` belongs behind the lines above it.
 */
export class ErrorsAfterOutput {
  #pieces: Buffer[] = [];
  /** Bytes that were read of either since the oldest piece came. */
  #read = 0;
  #timer: NodeJS.Timeout | undefined;
  #paused = false;

  constructor(private readonly print: (piece: Buffer) => void) {}

  /** The piece's memory may be used again afterwards. */
  errors(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(Buffer.from(piece));
    this.#later(piece.length);
  }

  output(bytes: number): void {
    if (this.#pieces.length > 0) this.#later(bytes);
  }

  /** While no output is read, its silence says nothing. */
  pause(on: boolean): void {
    this.#paused = on;
    clearTimeout(this.#timer);
    if (!on && this.#pieces.length > 0) this.#later(0);
  }

  flush(): void {
    clearTimeout(this.#timer);
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#read = 0;
    for (const piece of pieces) this.print(piece);
  }

  #later(bytes: number): void {
    this.#read += bytes;
    if (this.#read >= ERRORS_BEHIND_BYTES) return this.flush();
    clearTimeout(this.#timer);
    if (!this.#paused) this.#timer = setTimeout(() => this.flush(), ERRORS_BEHIND_MS);
  }
}

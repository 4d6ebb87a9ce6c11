import { writeSync } from 'node:fs';
import { INPUT_RETRY_MS } from '../../../limits/terminal-host';

interface InputEnd {
  readonly fd: number;
  /** Its file descriptor may be reused from now on. */
  closed(): boolean;
}

/**
 * A program's input, written in this thread. node-pty passes each key to the threads that write floods'
 * output, where it would wait; so little is written faster directly.
 */
export class Input {
  #waiting: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly end: InputEnd) {}

  /** In order, after pending input. Input after the terminal was closed is dropped. */
  write(data: string): void {
    if (data === '') return;
    this.#waiting.push(Buffer.from(data));
    if (this.#timer === undefined) this.#go();
  }

  #go(): void {
    this.#timer = undefined;
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const written = this.#writeSome(next);
      if (written === null) {
        this.#waiting = [];
        return;
      }
      if (written < next.length) {
        this.#waiting[0] = next.subarray(written);
        this.#timer = setTimeout(() => this.#go(), INPUT_RETRY_MS);
        return;
      }
      this.#waiting.shift();
    }
  }

  /** Number of bytes accepted; null if nothing ever will be. */
  #writeSome(data: Buffer): number | null {
    if (this.end.closed()) return null;
    try {
      return writeSync(this.end.fd, data);
    } catch (cause) {
      return (cause as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : null;
    }
  }
}

import { writeSync } from 'node:fs';
import { INPUT_RETRY_MS } from '../../limits/terminal-host';

export interface InputEnd {
  readonly fd: number;
  /** Its number may be another file's from now on. */
  closed(): boolean;
}

/**
 * What a program is given to read, written in this thread. node-pty hands each key to the threads that write the output
 * of floods, behind which it waits; so little is written sooner than handed over.
 */
export class Input {
  #waiting: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly end: InputEnd) {}

  /** In order with what still waits. What comes after the terminal was closed is dropped. */
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

  /** How much was taken; null where nothing ever will be. */
  #writeSome(data: Buffer): number | null {
    if (this.end.closed()) return null;
    try {
      return writeSync(this.end.fd, data);
    } catch (cause) {
      return (cause as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : null;
    }
  }
}

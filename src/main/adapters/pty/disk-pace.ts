import { LONGEST_SLOW_DISK_MS, SLOW_DISK_MS, SLOW_WRITE_MS } from '../../limits/terminal-host';

/**
 * Whether a disk takes what is written at once: then it costs less to write in this thread than to wake another, which
 * was a tenth of what 20 floods cost. One that makes a write wait holds this thread up once and is then left alone for a
 * while, because keys and other terminals would wait with it.
 */
export class DiskPace {
  #slowUntil = Number.NEGATIVE_INFINITY;
  #pause = SLOW_DISK_MS;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get isQuick(): boolean {
    return this.now() >= this.#slowUntil;
  }

  /** Runs a write and notes how long it took. */
  measure(write: () => void): void {
    const began = this.now();
    write();
    const ended = this.now();
    if (ended - began <= SLOW_WRITE_MS) {
      this.#pause = SLOW_DISK_MS;
      return;
    }
    this.#slowUntil = ended + this.#pause;
    this.#pause = Math.min(2 * this.#pause, LONGEST_SLOW_DISK_MS);
  }
}

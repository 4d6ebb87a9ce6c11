import { LONGEST_SLOW_DISK_MS, SLOW_DISK_MS, SLOW_WRITE_MS } from '../../../limits/terminal-host';

/**
 * Whether the disk accepts writes immediately. Then a write in this thread is cheaper than waking another (a
 * tenth of the cost of 20 flooding terminals). A write that blocks holds this thread up once; afterwards it
 * is avoided for a while, because keys and other terminals would wait with it.
 */
export class DiskPace {
  #slowUntil = Number.NEGATIVE_INFINITY;
  #pause = SLOW_DISK_MS;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get isQuick(): boolean {
    return this.now() >= this.#slowUntil;
  }

  /** Runs a write and measures its duration. */
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

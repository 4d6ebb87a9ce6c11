/** A write that takes longer was no mere copy into the system's memory. */
const SLOW_MS = 4;
/** For so long a disk that was slow is left to the threads that write; twice as long each time, up to the longest. */
const FIRST_MS = 1_000;
/** The longest pause of a slow disk, however often it was slow. */
const LONGEST_MS = 60_000;

/**
 * Whether a disk takes what is written at once: then it costs less to write in this thread than to wake another, which
 * was a tenth of what 20 floods cost. One that makes a write wait holds this thread up once and is then left alone for a
 * while, because keys and other terminals would wait with it.
 */
export class DiskPace {
  #slowUntil = Number.NEGATIVE_INFINITY;
  #pause = FIRST_MS;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get isQuick(): boolean {
    return this.now() >= this.#slowUntil;
  }

  /** Runs a write and notes how long it took. */
  measure(write: () => void): void {
    const began = this.now();
    write();
    const ended = this.now();
    if (ended - began <= SLOW_MS) {
      this.#pause = FIRST_MS;
      return;
    }
    this.#slowUntil = ended + this.#pause;
    this.#pause = Math.min(2 * this.#pause, LONGEST_MS);
  }
}

/** Measures a block's own computing time, without waiting for sub-calls. */
export class BlockClock {
  #left: number;
  #since = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    seconds: number,
    private readonly over: () => void,
  ) {
    this.#left = seconds * 1_000;
  }

  run(): void {
    if (this.#timer !== null) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.over, Math.max(0, this.#left));
  }

  pause(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#left -= performance.now() - this.#since;
  }
}

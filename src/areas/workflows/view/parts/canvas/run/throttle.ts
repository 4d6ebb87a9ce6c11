/** Passes on frequent values at most once per interval: the first one at once, and always the last one. */
export class Throttle<T> {
  #takenAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly everyMs: number,
    private readonly take: (value: T) => void,
  ) {}

  offer(value: T): void {
    this.end();
    const wait = Math.max(0, this.#takenAt + this.everyMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#takenAt = performance.now();
      this.take(value);
    }, wait);
  }

  /** Drops the pending value. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Hands on values that come often, at most once in a time: the first one at once, and always the last one. */
export class Pace<T> {
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

  /** Forgets what waits. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

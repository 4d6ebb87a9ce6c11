interface RelookParts {
  look(): Promise<void>;
  /** Whether anyone can see it. */
  isShown(): boolean;
  /** Milliseconds from any fixed moment. */
  now(): number;
  /** The least time between the end of one look and the next. */
  readonly leastMs: number;
}

/** Looks again on request, but never twice at once, too often, or for a window that no one sees. */
export class Relook {
  #ended = Number.NEGATIVE_INFINITY;
  #looking = false;

  constructor(private readonly parts: RelookParts) {}

  async want(): Promise<void> {
    const { look, isShown, now, leastMs } = this.parts;
    if (this.#looking || !isShown() || now() - this.#ended < leastMs) return;
    this.#looking = true;
    await look().finally(() => {
      this.#looking = false;
      this.#ended = now();
    });
  }
}

/** Shorter values are common words. */
const LEAST = 8;
const MASK = Buffer.from('***');

/**
 * Removes the values of secrets from the output of a program before it is stored or shown. The start of a value at
 * the end of a piece is held back until `rest`.
 */
export class SecretMask {
  #held: Buffer = Buffer.alloc(0);

  private constructor(private readonly values: readonly Buffer[]) {}

  /** Null if there is nothing to remove. */
  static of(values: readonly string[]): SecretMask | null {
    const long = [...new Set(values)].filter((value) => value.length >= LEAST);
    // The longest first: a value may contain another one.
    const sorted = long.sort((a, b) => b.length - a.length).map((value) => Buffer.from(value));
    return sorted.length === 0 ? null : new SecretMask(sorted);
  }

  /** A mask for more values, which continues where this one is. */
  static with(values: readonly string[], mask: SecretMask | null): SecretMask | null {
    const more = SecretMask.of([...(mask?.values ?? []).map(String), ...values]);
    if (more !== null && mask !== null) more.#held = mask.#held;
    return more;
  }

  take(piece: Buffer): Buffer {
    const all = this.#masked(Buffer.concat([this.#held, piece]));
    const end = all.length - Math.max(...this.values.map((value) => begun(all, value)));
    this.#held = all.subarray(end);
    return all.subarray(0, end);
  }

  get holds(): boolean {
    return this.#held.length > 0;
  }

  /** What was held back: nothing follows, or not soon. */
  rest(): Buffer {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held;
  }

  #masked(all: Buffer): Buffer {
    let kept = all;
    for (const value of this.values) {
      const parts: Buffer[] = [];
      let from = 0;
      for (let at = kept.indexOf(value); at >= 0; at = kept.indexOf(value, from)) {
        parts.push(kept.subarray(from, at), MASK);
        from = at + value.length;
      }
      if (from > 0) kept = Buffer.concat([...parts, kept.subarray(from)]);
    }
    return kept;
  }
}

/** How many bytes at the end of a text are the start of a value. */
function begun(text: Buffer, value: Buffer): number {
  for (let length = Math.min(value.length - 1, text.length); length > 0; length -= 1)
    if (text.subarray(text.length - length).equals(value.subarray(0, length))) return length;
  return 0;
}

import { createHash } from 'node:crypto';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const MOST_CHARS = 16_000_000;

/**
 * File texts given to clients, by hash, for merging a change with later ones. The oldest are dropped first.
 */
export class TextCache {
  readonly #texts = new Map<string, string>();
  #chars = 0;

  /** Stores a text and returns its hash. */
  keep(text: string): string {
    const hash = hashOf(text);
    if (this.#texts.delete(hash)) this.#chars -= text.length;
    this.#texts.set(hash, text);
    this.#chars += text.length;
    for (const [old, { length }] of this.#texts) {
      if (this.#chars <= MOST_CHARS) break;
      this.#texts.delete(old);
      this.#chars -= length;
    }
    return hash;
  }

  get(hash: string): string | null {
    return this.#texts.get(hash) ?? null;
  }
}

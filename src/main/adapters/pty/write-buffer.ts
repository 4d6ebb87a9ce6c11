const SMALLEST = 16 * 1024;

/** Gathers small pieces in memory that is used again: one part fills while the other one is being written. */
export class Gather {
  #filling = Buffer.allocUnsafeSlow(SMALLEST);
  #spare = Buffer.allocUnsafeSlow(SMALLEST);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(piece: Buffer): void {
    const wanted = this.#length + piece.length;
    if (wanted > this.#filling.length) this.#grow(wanted);
    piece.copy(this.#filling, this.#length);
    this.#length = wanted;
  }

  /** All that was gathered: it holds until the next call. */
  take(): Buffer {
    const taken = this.#filling.subarray(0, this.#length);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#length = 0;
    return taken;
  }

  clear(): void {
    this.#length = 0;
  }

  #grow(wanted: number): void {
    const larger = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(wanted)));
    this.#filling.copy(larger, 0, 0, this.#length);
    this.#filling = larger;
  }
}

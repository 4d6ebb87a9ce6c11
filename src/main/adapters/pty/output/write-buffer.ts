const SMALLEST = 16 * 1024;

/** Collects small chunks in reused memory: one buffer fills while the other is written. */
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

  /** Everything collected; valid until the next call. */
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

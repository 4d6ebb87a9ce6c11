/** The kernel hands out at most as much of a terminal at once. */
export const PIECE_BYTES = 4095;
export const ROOM_BYTES = 2 * PIECE_BYTES;
const SMALLEST = 16 * 1024;

/** Memory to read a piece into, with more room than that or with none to spare. Both begin at the same place. */
export interface Slot {
  readonly roomy: Buffer;
  readonly exact: Buffer;
}

export function slotIn(memory: Buffer, at: number): Slot {
  const roomy = memory.subarray(at, at + ROOM_BYTES);
  return { roomy, exact: roomy.subarray(0, PIECE_BYTES) };
}

interface Memory {
  readonly bytes: Buffer;
  /** By their number; one that was not wanted yet is missing. */
  readonly slots: Slot[];
}

const allocate = (bytes: number): Memory => ({ bytes: Buffer.allocUnsafeSlow(bytes), slots: [] });

/**
 * Gathers small pieces in memory that is used again: one part fills while the other one is being written. Whole pieces,
 * of which a flood consists, are read right into their place; a view of it is made once, because to make one for each
 * piece costs as much as to copy it.
 */
export class Gather {
  #filling = allocate(SMALLEST);
  #spare = allocate(SMALLEST);
  #length = 0;
  /** Handed out, and still the place of the next piece. */
  #next: Slot | null = null;

  get length(): number {
    return this.#length;
  }

  /** Where the next piece belongs; undefined where it has to be copied. It may be read into at any time, also later. */
  slot(): Slot | undefined {
    const { bytes, slots } = this.#filling;
    const at = this.#length;
    if (at % PIECE_BYTES !== 0 || at + ROOM_BYTES > bytes.length) return;
    const number = at / PIECE_BYTES;
    slots[number] ??= slotIn(bytes, at);
    this.#next = slots[number];
    return this.#next;
  }

  push(piece: Buffer): void {
    const wanted = this.#length + piece.length;
    if (piece !== this.#next?.exact) {
      if (wanted > this.#filling.bytes.length) this.#grow(wanted);
      piece.copy(this.#filling.bytes, this.#length);
    }
    this.#length = wanted;
    this.#next = null;
  }

  /** All that was gathered: it holds until the next call. What is read into a slot of before lies behind it. */
  take(): Buffer {
    const taken = this.#filling.bytes.subarray(0, this.#length);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.clear();
    return taken;
  }

  clear(): void {
    this.#length = 0;
    this.#next = null;
  }

  #grow(wanted: number): void {
    const larger = allocate(2 ** Math.ceil(Math.log2(wanted)));
    this.#filling.bytes.copy(larger.bytes, 0, 0, this.#length);
    this.#filling = larger;
  }
}

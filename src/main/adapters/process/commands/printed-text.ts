import type { OutputPart } from '@contract/bounds';
import { WHOLE_TEXT_BYTES } from '@contract/limits';
import type { CutText } from '@contract/whole-text';
import { TailBuffer } from './tail-buffer';

/** Of an output that is too large, the end that its error shows. */
const LAST_BYTES = 64 * 1024;

/** What one stream of a program prints: whole up to the limit for all texts, else the part that its step asks for. */
export class PrintedText {
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #total = 0;
  #tail: TailBuffer | null;
  #isCut = false;

  constructor(
    private readonly limit: OutputPart | null,
    private readonly most = WHOLE_TEXT_BYTES,
  ) {
    this.#tail = limit?.part === 'last' ? new TailBuffer(limit.bytes) : null;
  }

  get totalBytes(): number {
    return this.#total;
  }

  /** The chunk is kept as it is, and must not be reused. */
  push(chunk: Uint8Array): void {
    this.#total += chunk.length;
    if (this.#tail !== null) return this.#tail.push(chunk);
    if (this.limit !== null) return this.#keep(chunk.subarray(0, this.limit.bytes - this.#kept));
    this.#keep(chunk);
    if (this.#kept <= this.most) return;
    // It is no longer whole. Its end tells most about why.
    this.#isCut = true;
    this.#keepEnd(LAST_BYTES);
  }

  /** The terminal has not kept this much from before the first chunk: the beginning is missing. */
  dropped(bytes: number): void {
    if (bytes === 0) return;
    this.#total += bytes;
    this.#isCut = true;
    if (this.#tail === null) this.#keepEnd(this.limit?.bytes ?? LAST_BYTES);
  }

  /** The text; a `CutText` if there was more. */
  result(): string | CutText {
    if (this.#tail !== null) {
      const shown = this.#tail.text();
      return this.#isCut || this.#tail.truncated ? this.#cut('last', shown) : shown;
    }
    const bytes = Buffer.concat(this.#chunks);
    if (bytes.length === this.#total) return bytes.toString('utf8');
    return this.#cut('first', bytes.subarray(0, wholeCharacters(bytes)).toString('utf8'));
  }

  #keepEnd(bytes: number): void {
    this.#tail = new TailBuffer(bytes);
    for (const one of this.#chunks) this.#tail.push(one);
    this.#chunks = [];
  }

  #keep(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
  }

  #cut(part: CutText['part'], shown: string): CutText {
    return { part, shown, shownBytes: Buffer.byteLength(shown), totalBytes: this.#total };
  }
}

/** The length without the beginning of a character at the end. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

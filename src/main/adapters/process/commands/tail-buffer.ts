const MOST_CHUNKS = 4096;

/** The last `limit` bytes of a stream, as text. */
export class TailBuffer {
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #total = 0;

  constructor(private readonly limit: number) {}

  get totalBytes(): number {
    return this.#total;
  }

  get truncated(): boolean {
    return this.#total > this.limit;
  }

  get #frontBytes(): number {
    return this.#chunks[0]?.length ?? 0;
  }

  /** The chunk is kept as it is, and must not be reused. */
  push(chunk: Uint8Array): void {
    this.#total += chunk.length;
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
    // Whole chunks in front of the limit go without a copy.
    while (this.#chunks.length > 1 && this.#kept - this.#frontBytes >= this.limit) {
      this.#kept -= this.#frontBytes;
      this.#chunks.shift();
    }
    // Many small pieces take more room than their bytes.
    if (this.#chunks.length > MOST_CHUNKS) this.#compact();
  }

  text(): string {
    this.#compact();
    const bytes = this.#chunks[0] ?? new Uint8Array(0);
    let start = 0;
    if (this.truncated) while (start < 4 && isContinuation(bytes[start])) start += 1;
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start).toString('utf8');
  }

  #compact(): void {
    const all = Buffer.concat(this.#chunks);
    const tail = all.length > this.limit ? Buffer.from(all.subarray(all.length - this.limit)) : all;
    this.#chunks = [tail];
    this.#kept = tail.length;
  }
}

/** A byte in the middle of a UTF-8 character. */
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

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

  push(chunk: Uint8Array): void {
    this.#total += chunk.length;
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
    // Joined only when twice the limit is held, so that many small pieces do not each cost a copy.
    if (this.#kept > this.limit * 2 || this.#chunks.length > 4096) this.#compact();
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

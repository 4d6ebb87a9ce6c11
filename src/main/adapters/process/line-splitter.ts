const NEWLINE = 0x0a;
const RETURN = 0x0d;

interface LineSink {
  line(text: string): void;
  tooLong(bytes: number): void;
}

/**
 * Splits a byte stream into lines. Memory is bounded by `maxBytes`: a longer line is dropped up to its end,
 * and its length is reported.
 */
export class LineSplitter {
  #pending: Uint8Array[] = [];
  #bytes = 0;
  #dropping = false;

  constructor(
    private readonly maxBytes: number,
    private readonly sink: LineSink,
  ) {}

  push(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#take(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#take(chunk.subarray(start));
  }

  /** The last line may lack a line end. */
  end(): void {
    if (this.#bytes > 0) this.#finish();
  }

  #take(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > this.maxBytes) {
      this.#dropping = true;
      this.#pending = [];
    }
    if (!this.#dropping) this.#pending.push(part);
  }

  #finish(): void {
    const bytes = this.#bytes;
    const fullLine = Buffer.concat(this.#pending);
    const dropped = this.#dropping;
    this.#pending = [];
    this.#bytes = 0;
    this.#dropping = false;
    if (dropped) this.sink.tooLong(bytes);
    else this.sink.line(text(fullLine));
  }
}

function text(line: Buffer): string {
  const end = line.at(-1) === RETURN ? line.length - 1 : line.length;
  return line.toString('utf8', 0, end);
}

/** Splits a byte stream into lines, keeping at most `limit` bytes of one. */
export class LineReader {
  private parts: Buffer[] = [];
  private bytes = 0;

  constructor(public limit: number) {}

  /** The lines that `chunk` completes; null once a line exceeds the limit. */
  push(chunk: Buffer): string[] | null {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      if (!this.take(chunk.subarray(from, end))) return null;
      lines.push(Buffer.concat(this.parts).toString('utf8'));
      this.parts = [];
      this.bytes = 0;
      from = end + 1;
    }
    return this.take(chunk.subarray(from)) ? lines : null;
  }

  private take(part: Buffer): boolean {
    this.bytes += part.length;
    if (this.bytes > this.limit) {
      this.parts = [];
      return false;
    }
    if (part.length > 0) this.parts.push(part);
    return true;
  }
}

/** A message as one line; JSON contains no line breaks. */
export const line = (message: unknown): string => `${JSON.stringify(message)}\n`;

/** A line's value, or undefined if it is not JSON. */
export function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

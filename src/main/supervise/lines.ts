import { StringDecoder } from 'node:string_decoder';

/** Cuts a stream of bytes into lines. A line beyond the limit makes it give null: the stream is not to be trusted. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  #rest: string[] = [];
  #length = 0;

  constructor(private readonly limit: number) {}

  push(chunk: Buffer): string[] | null {
    const parts = this.#decoder.write(chunk).split('\n');
    const last = parts.pop() ?? '';
    const complete: string[] = [];
    for (const part of parts) {
      if (this.#length + part.length > this.limit) return null;
      complete.push(this.#rest.join('') + part);
      this.#rest = [];
      this.#length = 0;
    }
    this.#rest.push(last);
    this.#length += last.length;
    return this.#length > this.limit ? null : complete;
  }
}

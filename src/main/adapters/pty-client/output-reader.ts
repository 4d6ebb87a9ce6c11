import { type FileHandle, open } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';

const CHUNK = 256 * 1024;

/** Reads what is appended to a terminal's output file, in order, each byte once. */
export class OutputReader {
  readonly #decoder = new StringDecoder('utf8');
  #at: number;
  #wanted: number;
  #reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly start: number,
    private readonly take: (text: string) => void,
  ) {
    this.#at = start;
    this.#wanted = start;
  }

  /** So many bytes were printed since the start. Resolves when they are taken. */
  upTo(bytes: number): Promise<void> {
    this.#wanted = Math.max(this.#wanted, this.start + bytes);
    this.#reading = this.#reading.then(() => this.#read()).catch(() => undefined);
    return this.#reading;
  }

  async #read(): Promise<void> {
    if (this.#at >= this.#wanted) return;
    let file: FileHandle | null = null;
    try {
      file = await open(this.path, 'r');
      while (this.#at < this.#wanted) {
        const buffer = Buffer.alloc(Math.min(CHUNK, this.#wanted - this.#at));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, this.#at);
        if (bytesRead === 0) return;
        this.#at += bytesRead;
        this.take(this.#decoder.write(buffer.subarray(0, bytesRead)));
      }
    } finally {
      await file?.close();
    }
  }
}

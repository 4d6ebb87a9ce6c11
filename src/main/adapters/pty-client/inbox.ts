import { type FSWatcher, watch } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';

const POLL_MS = 400;
const CHUNK = 64 * 1024;
/** A longer line is no signal of ours. */
const MOST_LINE = 8 * 1024 * 1024;

/** Tells each line that is appended to a file, from its beginning on, once. */
export class Inbox {
  readonly #decoder = new StringDecoder('utf8');
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | null = null;
  #reading: Promise<void> = Promise.resolve();
  #at = 0;
  #rest = '';

  constructor(
    private readonly path: string,
    private readonly told: (line: string) => void,
  ) {
    try {
      this.#watcher = watch(path, () => void this.look());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Some file systems tell of no change, and some limits allow no watch: then we look now and then.
    }
    this.#timer = setInterval(() => void this.look(), POLL_MS);
    this.#timer.unref();
  }

  /** Resolves when all that is in the file now was told. */
  look(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#read()).catch(() => undefined);
    return this.#reading;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
  }

  async #read(): Promise<void> {
    let file: FileHandle | null = null;
    try {
      file = await open(this.path, 'r');
      const buffer = Buffer.alloc(CHUNK);
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, CHUNK, this.#at);
        if (bytesRead === 0) return;
        this.#at += bytesRead;
        this.#take(this.#decoder.write(buffer.subarray(0, bytesRead)));
      }
    } finally {
      await file?.close();
    }
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MOST_LINE) this.#rest = '';
    for (const line of lines) if (line.trim() !== '') this.told(line);
  }
}

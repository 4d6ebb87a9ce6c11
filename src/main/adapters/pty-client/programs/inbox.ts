import { type FSWatcher, watch } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { INBOX_POLL_MS } from '../../../limits/core';
import { SIGNAL_LINE_BYTES } from '../../../limits/core-sizes';

const CHUNK = 64 * 1024;

const LINE_END = 0x0a;

/** Reports each line appended to a file from an offset on, once. */
export class Inbox {
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | null = null;
  #reading: Promise<void> = Promise.resolve();
  #at: number;
  #rest: Buffer = Buffer.alloc(0);

  /** `from`: the byte offset of the start of a line. */
  constructor(
    private readonly path: string,
    private readonly onLine: (line: string) => void,
    from = 0,
  ) {
    this.#at = from;
    try {
      this.#watcher = watch(path, () => void this.look());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Some file systems report no changes, and some limits allow no watches: then the file is polled.
    }
    this.#timer = setInterval(() => void this.look(), INBOX_POLL_MS);
    this.#timer.unref();
  }

  /** The offset after the last reported line. */
  get place(): number {
    return this.#at - this.#rest.length;
  }

  /** Resolves when everything currently in the file was reported. */
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
        this.#take(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file?.close();
    }
  }

  #take(chunk: Buffer): void {
    let rest = Buffer.concat([this.#rest, chunk]);
    const lines: string[] = [];
    for (let end = rest.indexOf(LINE_END); end >= 0; end = rest.indexOf(LINE_END)) {
      lines.push(rest.subarray(0, end).toString('utf8'));
      rest = rest.subarray(end + 1);
    }
    this.#rest = rest.length > SIGNAL_LINE_BYTES ? Buffer.alloc(0) : Buffer.from(rest);
    for (const line of lines) if (line.trim() !== '') this.onLine(line);
  }
}

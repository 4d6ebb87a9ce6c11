import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const FLUSH_MS = 16;
const FLUSH_BYTES = 64 * 1024;
/** With what is on its way to a screen it stays under 1 MiB. */
const HOLD_BACK_BYTES = 224 * 1024;
const GO_ON_BYTES = 64 * 1024;
const TAIL_BYTES = 64 * 1024;

export interface OutputListener {
  /** So many bytes are in the file now, of which these came last. */
  written(bytes: number, batch: Buffer): void;
  /** The disk is slower than the program: read no more until told. */
  holdBack(on: boolean): void;
}

/** A terminal's output, appended to its file in batches, one write at a time. */
export class OutputFile {
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #held = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #bytes = 0;
  #flushedAt = 0;
  #error: Error | null = null;

  private constructor(
    private readonly file: FileHandle,
    private readonly start: number,
    private readonly listener: OutputListener,
  ) {}

  static async open(path: string, listener: OutputListener): Promise<OutputFile> {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a+', 0o600);
    return new OutputFile(file, (await file.stat()).size, listener);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The size of the file: what a terminal of before has left in it counts as well. */
  get offset(): number {
    return this.start + this.#bytes;
  }

  /** The first write that failed: what came after it is not in the file. */
  get error(): Error | null {
    return this.#error;
  }

  push(data: Buffer): void {
    if (data.length === 0 || this.#error) return;
    this.#pending.push(data);
    this.#pendingBytes += data.length;
    if (!this.#held && this.#pendingBytes > HOLD_BACK_BYTES) {
      this.#held = true;
      this.listener.holdBack(true);
    }
    if (this.#pendingBytes >= FLUSH_BYTES) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), this.#delay());
  }

  /** Writes what waits and closes the file; gives the end of the output. */
  async close(): Promise<string> {
    this.#flush();
    while (this.#writing !== undefined) await this.#writing;
    const length = Math.min(this.#bytes, TAIL_BYTES);
    const buffer = Buffer.alloc(length);
    try {
      if (length === 0) return '';
      const { bytesRead } = await this.file.read(buffer, 0, length, this.start + this.#bytes - length);
      return textFromTheMiddle(buffer.subarray(0, bytesRead), length < this.#bytes);
    } catch {
      return '';
    } finally {
      await this.file.close().catch(() => undefined);
    }
  }

  /** After a pause the first output is written at once, so that what is typed is seen without a wait. */
  #delay(): number {
    return performance.now() - this.#flushedAt > 2 * FLUSH_MS ? 0 : FLUSH_MS;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing !== undefined || this.#pendingBytes === 0) return;
    const batch = this.#pending.length === 1 ? (this.#pending[0] as Buffer) : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#flushedAt = performance.now();
    this.#writing = this.#write(batch);
  }

  async #write(batch: Buffer): Promise<void> {
    try {
      await this.file.appendFile(batch);
      this.#bytes += batch.length;
      this.listener.written(this.#bytes, batch);
    } catch (cause) {
      this.#error = cause instanceof Error ? cause : new Error(String(cause));
      this.#pending = [];
      this.#pendingBytes = 0;
    }
    this.#writing = undefined;
    if (this.#held && this.#pendingBytes < GO_ON_BYTES) {
      this.#held = false;
      this.listener.holdBack(false);
    }
    this.#flush();
  }
}

/** UTF-8 that may begin inside a character: its left-over bytes are dropped. */
export function textFromTheMiddle(bytes: Buffer, cut: boolean): string {
  let from = 0;
  while (cut && from < Math.min(3, bytes.length) && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return bytes.toString('utf8', from);
}

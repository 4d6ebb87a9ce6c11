import { write, writeSync } from 'node:fs';
import { type FileHandle, mkdir, open, truncate, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { segmentPath } from '@areas/terminals/contract/files';
import { DISK_FULL_CHECK_MS, FLUSH_MS, UNSEEN_FLOOD_FLUSH_MS } from '../../../limits/terminal-host';
import { DiskPace } from './disk-pace';
import { type Segment, segmentsOf } from './segments';
import { Gather } from './write-buffer';

interface Pace {
  readonly flushMs: number;
  readonly flushBytes: number;
  /** Maximum bytes waiting for the disk before the program is paused. */
  readonly holdBackBytes: number;
}

/** Together with output on its way to the screen it stays below 1 MiB. */
const SEEN: Pace = { flushMs: FLUSH_MS, flushBytes: 64 * 1024, holdBackBytes: 224 * 1024 };
/** For a terminal that no one is watching. */
const UNSEEN: Pace = { flushMs: FLUSH_MS, flushBytes: 256 * 1024, holdBackBytes: 512 * 1024 };
/** For an invisible flood: waking the writing thread costs as much as the write. */
const UNSEEN_FLOOD: Pace = { ...UNSEEN, flushMs: UNSEEN_FLOOD_FLUSH_MS };
/** Output within 16 ms that counts as a flood. */
const FLOOD_BYTES = 16 * 1024;
/** Awaited output up to this size is written in this thread. */
const AT_ONCE_BYTES = 4 * 1024;
const GO_ON_BYTES = 64 * 1024;
const FULL = new Set(['ENOSPC', 'EDQUOT']);
/** The first file holds a short output completely; later output is dropped in smaller pieces. */
const FIRST_SHARE = 1 / 2;
const NEXT_SHARE = 1 / 8;
/** The newest part that is always kept, even if the limit was lowered below the size of one file. */
const NEWEST_SHARE = 1 / 4;

interface OutputListener {
  /** The file now has this many bytes, of which `batch` is the newest part. Copy it to keep it. */
  written(bytes: number, batch: Buffer): void;
  /** The disk is slower than the program: pause reading. */
  holdBack(on: boolean): void;
  /** Output before this offset was dropped. */
  evicted(before: number): void;
}

/** Shared by all terminals. */
const disk = new DiskPace();

interface Opened {
  readonly file: FileHandle;
  readonly segments: Segment[];
}

/** A terminal's output, appended to its files in batches, one write at a time. */
export class OutputFile {
  readonly #pending = new Gather();
  #held = false;
  #urgent = false;
  #pace = UNSEEN;
  #timer: NodeJS.Timeout | undefined;
  #writing = false;
  /** Resolves the wait until nothing is left to write. */
  #settled: (() => void) | null = null;
  #bytes = 0;
  #flushedAt = 0;
  #error: Error | null = null;
  /** Set while the disk is full: retries the failed write. */
  #retry: (() => void) | null = null;
  #closing = false;
  #file: FileHandle;
  /** Start offsets of the kept files, oldest first. */
  readonly #starts: number[];
  readonly #start: number;

  private constructor(
    private readonly path: string,
    opened: Opened,
    private readonly options: { readonly listener: OutputListener; readonly limit: () => number },
  ) {
    this.#file = opened.file;
    this.#starts = opened.segments.map(({ start }) => start);
    const last = opened.segments.at(-1);
    this.#start = last ? last.start + last.bytes : 0;
  }

  /**
   * `limit` returns the maximum bytes to keep, and is called again as the output grows. Throws if the file
   * cannot be created.
   */
  static async open(path: string, listener: OutputListener, limit: () => number): Promise<OutputFile> {
    await mkdir(dirname(path), { recursive: true });
    const found = segmentsOf(path);
    const file = await open(segmentPath(path, found.at(-1)?.start ?? 0), 'a+', 0o600);
    const segments = found.length > 0 ? found : [{ start: 0, bytes: 0 }];
    return new OutputFile(path, { file, segments }, { listener, limit });
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The end of the output, including earlier programs' output. */
  get offset(): number {
    return this.#start + this.#bytes;
  }

  /** The first kept offset. */
  get from(): number {
    return this.#starts[0] ?? 0;
  }

  /** The first failed write: later output is not in the file. */
  get error(): Error | null {
    return this.#error;
  }

  push(data: Buffer): void {
    if (data.length === 0 || this.#error) return;
    this.#pending.push(data);
    if (!this.#held && this.#pending.length > this.#mostWaiting) {
      this.#held = true;
      this.options.listener.holdBack(true);
    }
    this.#flushInTime();
  }

  /** Writes pending output and closes the files. */
  async close(): Promise<void> {
    this.#urgent = true;
    this.#closing = true;
    this.#retry?.();
    this.#flush();
    if (this.#writing) {
      await new Promise<void>((resolve) => {
        this.#settled = resolve;
      });
    }
    await this.#file.close().catch(() => undefined);
  }

  /** Whether it is on a screen: then batches are smaller. */
  setSeen(seen: boolean): void {
    this.#pace = seen ? SEEN : UNSEEN;
  }

  /** The next output is awaited. */
  hasten(): void {
    this.#urgent = true;
  }

  /** Pending output adds to the limit, so it is small compared with it. */
  get #mostWaiting(): number {
    return Math.min(this.#pace.holdBackBytes, Math.max(SEEN.holdBackBytes, this.options.limit() / 16));
  }

  /** After a pause the first output is written immediately. */
  #delay(): number {
    return Math.max(0, this.#flushedAt + this.#pace.flushMs - performance.now());
  }

  #flushInTime(): void {
    if (this.#pending.length === 0) return;
    if (this.#urgent || this.#held || this.#pending.length >= this.#pace.flushBytes) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), this.#delay());
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#pending.length === 0) return;
    this.#flushedAt = performance.now();
    const urgent = this.#urgent;
    this.#urgent = false;
    this.#writing = true;
    const batch = this.#pending.take();
    if (this.#pace !== SEEN) this.#pace = batch.length < FLOOD_BYTES ? UNSEEN : UNSEEN_FLOOD;
    if (this.#isFull()) return this.#writeNext(batch);
    if (urgent && batch.length <= AT_ONCE_BYTES) return this.#writeHere(batch);
    if (this.#pace !== UNSEEN_FLOOD || !disk.isQuick) return this.#write(batch, 0);
    disk.measure(() => this.#writeHere(batch));
  }

  #writeNext(batch: Buffer): void {
    this.#makeRoom().then(
      () => this.#write(batch, 0),
      (cause) => this.#failed(cause, () => this.#writeNext(batch)),
    );
  }

  /**
   * Uses callbacks, because a promise would cost as much as the write. The file is open for appending only.
   */
  #write(batch: Buffer, from: number): void {
    write(this.#file.fd, batch, from, batch.length - from, null, (error, written) => {
      if (error) this.#failed(error, () => this.#write(batch, from));
      else if (from + written < batch.length) this.#write(batch, from + written);
      else this.#written(batch);
    });
  }

  /**
   * Writes in this thread: answers to keys, which would wait behind floods' writes and are small; and floods'
   * output if the disk is fast.
   */
  #writeHere(batch: Buffer): void {
    let from = 0;
    try {
      while (from < batch.length) from += writeSync(this.#file.fd, batch, from);
    } catch (cause) {
      return this.#failed(cause, () => this.#write(batch, from));
    }
    this.#written(batch);
  }

  #written(batch: Buffer): void {
    this.#bytes += batch.length;
    this.options.listener.written(this.#bytes, batch);
    this.#goOn();
  }

  /**
   * On a full disk the program waits for space: its output, and with it the program's state, would be lost. A
   * program that is ending does not wait.
   */
  #failed(cause: unknown, again: () => void): void {
    const full = cause instanceof Error && 'code' in cause && FULL.has(String(cause.code));
    if (!full || this.#closing) return this.#fail(cause);
    if (!this.#held) this.options.listener.holdBack(true);
    this.#held = true;
    const retry = (): void => {
      clearTimeout(timer);
      this.#retry = null;
      again();
    };
    const timer = setTimeout(retry, DISK_FULL_CHECK_MS);
    this.#retry = retry;
  }

  #fail(cause: unknown): void {
    this.#error = cause instanceof Error ? cause : new Error(String(cause));
    this.#pending.clear();
    this.#goOn();
  }

  #goOn(): void {
    this.#writing = false;
    if (this.#held && this.#pending.length < GO_ON_BYTES) {
      this.#held = false;
      this.options.listener.holdBack(false);
    }
    // Little arrives during a short write, and the next would be as short: immediate only if someone is
    // watching.
    if (this.#pace === SEEN) this.#flush();
    else this.#flushInTime();
    if (!this.#writing) this.#settled?.();
  }

  #isFull(): boolean {
    const current = this.#starts.at(-1) ?? 0;
    return this.offset - current >= this.options.limit() * (current === 0 ? FIRST_SHARE : NEXT_SHARE);
  }

  /** Starts the next file, then removes the oldest ones while the limit is exceeded. */
  async #makeRoom(): Promise<void> {
    const limit = this.options.limit();
    const next = await open(segmentPath(this.path, this.offset), 'a+', 0o600);
    await this.#file.close();
    this.#file = next;
    this.#starts.push(this.offset);
    const before = this.from;
    // Output pending for the new file already counts, so that the limit always holds.
    const room = limit * (1 - NEXT_SHARE);
    while (
      this.offset - this.from > room &&
      this.offset - (this.#starts[1] ?? this.offset) >= limit * NEWEST_SHARE
    )
      await this.#dropFirst();
    if (this.from !== before) this.options.listener.evicted(this.from);
  }

  async #dropFirst(): Promise<void> {
    const [first = 0] = this.#starts;
    if (first === 0) await truncate(this.path, 0);
    else await unlink(segmentPath(this.path, first));
    this.#starts.shift();
  }
}

/** UTF-8 that may begin inside a character, whose remaining bytes are dropped. */
export function textFromTheMiddle(bytes: Buffer, cut: boolean): string {
  let from = 0;
  while (cut && from < Math.min(3, bytes.length) && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return bytes.toString('utf8', from);
}

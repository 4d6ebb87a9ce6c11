import { readdirSync, statSync } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { segmentPath, segmentStart } from '@areas/terminals/contract/files';

const CHUNK = 256 * 1024;

interface OpenFile {
  readonly start: number;
  readonly file: FileHandle;
}

/** Reads what is appended to a terminal's output, in order, each byte once, across its files. */
export class OutputReader {
  readonly #decoder = new StringDecoder('utf8');
  #at: number;
  #wanted: number;
  /** Start offsets of the output's files, as last seen. */
  #starts: number[] | null = null;
  #reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly start: number,
    private readonly take: (text: string) => void,
  ) {
    this.#at = start;
    this.#wanted = start;
  }

  /** This many bytes were printed since the start. Resolves when they were read. */
  upTo(bytes: number): Promise<void> {
    this.#wanted = Math.max(this.#wanted, this.start + bytes);
    this.#reading = this.#reading.then(() => this.#read()).catch(() => undefined);
    return this.#reading;
  }

  async #read(): Promise<void> {
    if (this.#at >= this.#wanted) return;
    let current: OpenFile | null = null;
    try {
      while (this.#at < this.#wanted) {
        const start = await this.#startOfFile();
        if (start === null) return;
        if (current?.start !== start) {
          await current?.file.close();
          current = await this.#open(start);
        }
        // The output continues in another file, or was already dropped.
        if (!(await this.#take(current)) && !(await this.#toNextFile(start))) return;
      }
    } finally {
      await current?.file.close();
    }
  }

  async #open(start: number): Promise<OpenFile> {
    return { start, file: await open(segmentPath(this.path, start), 'r') };
  }

  /** Reads a part of this file; false at its end. */
  async #take({ start, file }: OpenFile): Promise<boolean> {
    const buffer = Buffer.alloc(Math.min(CHUNK, this.#wanted - this.#at));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, this.#at - start);
    this.#at += bytesRead;
    if (bytesRead > 0) this.take(this.#decoder.write(buffer.subarray(0, bytesRead)));
    return bytesRead > 0;
  }

  /** The start of the file with the next byte; null if there is none. */
  async #startOfFile(): Promise<number | null> {
    this.#starts ??= await this.#listFiles();
    return this.#starts.findLast((start) => start <= this.#at) ?? null;
  }

  async #toNextFile(from: number): Promise<boolean> {
    this.#starts = await this.#listFiles();
    const next = this.#starts.find((start) => start > from && start >= this.#at);
    if (next === undefined) return false;
    this.#at = next;
    return true;
  }

  async #listFiles(): Promise<number[]> {
    return startsIn(await readdir(dirname(this.path)), this.path);
  }
}

/** The start of the next program's output: the end of the existing output; 0 without any. */
export function outputEnd(path: string): number {
  try {
    const last = startsIn(readdirSync(dirname(path)), path).at(-1);
    return last === undefined ? 0 : last + statSync(segmentPath(path, last)).size;
  } catch {
    return 0;
  }
}

function startsIn(names: readonly string[], path: string): number[] {
  const starts = names.map((name) => segmentStart(basename(path), name));
  return starts.filter((start) => start !== null).sort((one, other) => one - other);
}

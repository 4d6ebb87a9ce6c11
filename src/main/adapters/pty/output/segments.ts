import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { segmentPath, segmentStart } from '@areas/terminals/contract/files';

/** A part of a terminal's output on disk. */
export interface Segment {
  readonly start: number;
  readonly bytes: number;
}

/** The parts of an output in order; empty if there is no file. */
export function segmentsOf(outputPath: string): Segment[] {
  const base = basename(outputPath);
  let names: string[] = [];
  try {
    names = readdirSync(dirname(outputPath));
  } catch {
    return [];
  }
  const found = names.flatMap((name) => {
    const start = segmentStart(base, name);
    const bytes =
      start === null ? undefined : statSync(join(dirname(outputPath), name), { throwIfNoEntry: false })?.size;
    return start === null || bytes === undefined ? [] : [{ start, bytes }];
  });
  found.sort((one, other) => one.start - other.start);
  // The first file stays even when its bytes were dropped, because it identifies the terminal.
  return found.length > 1 && found[0]?.bytes === 0 ? found.slice(1) : found;
}

/** The kept range of an output: its first byte to its end. */
export function keptSpan(outputPath: string): { from: number; end: number } {
  const segments = segmentsOf(outputPath);
  const last = segments.at(-1);
  return last ? { from: segments[0]?.start ?? 0, end: last.start + last.bytes } : { from: 0, end: 0 };
}

/** Reads an output by offset, across its files. */
export class OutputBytes {
  readonly #segments: Segment[];
  #open: { readonly start: number; readonly file: number } | null = null;

  constructor(private readonly outputPath: string) {
    this.#segments = segmentsOf(outputPath);
  }

  /** The first kept offset. */
  get from(): number {
    return this.#segments[0]?.start ?? 0;
  }

  /** Reads at most to the end of a file; returns the number of bytes, 0 if there are none. */
  read(buffer: Buffer, at: number): number {
    const segment = this.#segments.findLast(({ start }) => start <= at);
    if (!segment) return 0;
    const next = this.#segments.find(({ start }) => start > at);
    const length = Math.min(buffer.length, (next?.start ?? Number.POSITIVE_INFINITY) - at);
    return readSync(this.#fileOf(segment.start), buffer, 0, length, at - segment.start);
  }

  close(): void {
    if (this.#open) closeSync(this.#open.file);
    this.#open = null;
  }

  #fileOf(start: number): number {
    if (this.#open?.start === start) return this.#open.file;
    this.close();
    const file = openSync(segmentPath(this.outputPath, start), 'r');
    this.#open = { start, file };
    return file;
  }
}

import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import type { FileChange, TakenDiff } from '@areas/changes/contract/changes';
import { WHOLE_TEXT_BYTES } from '@contract/limits';

/** Maximum of a diff in an event; of a larger one the event has the smaller files only. */
const INLINE_BYTES = 512 * 1024;
const INLINE_FILE_BYTES = 64 * 1024;

const HEAD = Buffer.from('diff --git ');

interface Piece {
  bytes: number;
  /** Null once the piece is too large to be kept beside others. */
  chunks: Buffer[] | null;
}

/** Collects git's diff as it is printed: whole in a file, and as text for an event. */
export class DiffText {
  readonly #hash = createHash('sha256');
  readonly #whole: Buffer[] = [];
  readonly #pieces: Piece[] = [];
  #bytes = 0;
  #line: Buffer = Buffer.alloc(0);
  /** The beginning of the line was added already. */
  #continued = false;
  readonly #written: Promise<void>;

  private constructor(
    private readonly file: string | null,
    private readonly out: WriteStream | null,
  ) {
    this.#written = out === null ? Promise.resolve() : finished(out);
    // Awaited in `close`; a disk that is full earlier must not cause an unhandled rejection.
    this.#written.catch(() => {});
  }

  static async open(file: string | null): Promise<DiffText> {
    if (file !== null) await mkdir(dirname(file), { recursive: true });
    return new DiffText(file, file === null ? null : createWriteStream(file));
  }

  /** False if writing failed: git may stop. */
  take(chunk: Buffer): boolean | Promise<boolean> {
    if (this.#bytes <= INLINE_BYTES) this.#whole.push(chunk);
    this.#bytes += chunk.length;
    this.#split(chunk);
    if (this.out === null || this.#bytes > WHOLE_TEXT_BYTES) return true;
    this.#hash.update(chunk);
    return writeTo(this.out, chunk);
  }

  async close(): Promise<void> {
    if (this.#line.length > 0) this.#add(this.#line);
    this.out?.end();
    await this.#written;
    if (this.file !== null && this.#bytes > WHOLE_TEXT_BYTES) await rm(this.file, { force: true });
  }

  /** `files`: one for each piece of the diff, in its order. */
  taken(files: readonly FileChange[]): Omit<TakenDiff, 'from' | 'to'> {
    const isKept = this.file !== null && this.#bytes <= WHOLE_TEXT_BYTES;
    const place = isKept ? { path: this.file, sha256: this.#hash.copy().digest('hex') } : { path: null };
    if (this.#bytes <= INLINE_BYTES)
      return { text: Buffer.concat(this.#whole).toString('utf8'), omitted: [], bytes: this.#bytes, ...place };
    const kept: Buffer[] = [];
    const omitted = new Map<string, TakenDiff['omitted'][number]>();
    let size = 0;
    for (const [index, { bytes, chunks }] of this.#pieces.entries()) {
      if (chunks !== null && size + bytes <= INLINE_BYTES) {
        kept.push(...chunks);
        size += bytes;
        continue;
      }
      const { path = '', added = null, removed = null } = files[index] ?? {};
      omitted.set(path, { path, added, removed });
    }
    const text = Buffer.concat(kept).toString('utf8');
    return { text, omitted: [...omitted.values()], bytes: this.#bytes, ...place };
  }

  /** Only the line of a file's head begins with its words: each line of a hunk has a sign before it. */
  #split(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10, from); end >= 0; end = chunk.indexOf(10, from)) {
      const part = chunk.subarray(from, end + 1);
      this.#add(this.#line.length === 0 ? part : Buffer.concat([this.#line, part]));
      this.#line = Buffer.alloc(0);
      this.#continued = false;
      from = end + 1;
    }
    const rest = chunk.subarray(from);
    if (rest.length === 0) return;
    this.#line = this.#line.length === 0 ? rest : Buffer.concat([this.#line, rest]);
    // A line without end must not fill the memory; only its beginning can be a head.
    if (this.#line.length <= INLINE_FILE_BYTES) return;
    this.#add(this.#line);
    this.#line = Buffer.alloc(0);
    this.#continued = true;
  }

  #add(line: Buffer): void {
    if (!this.#continued && line.subarray(0, HEAD.length).equals(HEAD))
      this.#pieces.push({ bytes: 0, chunks: [] });
    const piece = this.#pieces.at(-1);
    if (piece === undefined) return;
    piece.bytes += line.length;
    if (piece.bytes > INLINE_FILE_BYTES) piece.chunks = null;
    else piece.chunks?.push(line);
  }
}

/** True if more can be written; false if writing failed. */
function writeTo(out: WriteStream, chunk: Buffer): boolean | Promise<boolean> {
  if (out.destroyed) return false;
  if (out.write(chunk)) return true;
  return new Promise((resolve) => {
    const done = (): void => {
      out.off('drain', done).off('close', done);
      resolve(!out.destroyed);
    };
    out.once('drain', done).once('close', done);
  });
}

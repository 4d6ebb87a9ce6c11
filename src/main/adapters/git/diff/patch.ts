import { createHash } from 'node:crypto';
import type { DiffHunk } from '@areas/changes/contract/procedures';
import { readable } from '../command/git-command';

/** A hunk as printed by git: `latin1` strings hold its bytes one to one, whatever the encoding. */
interface RawHunk {
  readonly id: string;
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

export interface RawFile {
  readonly hunks: readonly RawHunk[];
  readonly lines: number;
  readonly binary: boolean;
  /** Longer than the limit: its hunks are dropped. */
  readonly large: boolean;
}

export interface PatchLimits {
  readonly linesPerFile: number;
  readonly bytesPerFile: number;
  readonly lines: number;
}

interface OpenHunk extends Omit<RawHunk, 'id' | 'lines'> {
  readonly lines: string[];
}

interface OpenFile {
  readonly hunks: OpenHunk[];
  lines: number;
  bytes: number;
  binary: boolean;
  large: boolean;
}

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Parses a patch as it arrives, keeping only what the limits allow. From a hunk's head to the next head,
 * which begins with `@` or `d`, every line belongs to the hunk: a removed line `-- a` is not a file header.
 */
export class PatchReader {
  readonly #files: OpenFile[] = [];
  #rest = '';
  #hunk: OpenHunk | null = null;
  #lines = 0;

  constructor(private readonly limits: PatchLimits) {}

  /** False once all limits are exceeded. */
  take(chunk: Buffer): boolean {
    const lines = (this.#rest + chunk.toString('latin1')).split('\n');
    this.#rest = lines.pop() ?? '';
    const file = this.#files.at(-1);
    // A line without end must not fill the memory.
    if (this.#rest.length > this.limits.bytesPerFile && file !== undefined) {
      file.large = true;
      this.#rest = this.#rest.slice(0, 1);
    }
    for (const line of lines) this.#line(line);
    return this.#lines <= this.limits.lines;
  }

  /** One entry for each file reached in the patch, in order. */
  files(path: (index: number) => string): RawFile[] {
    return this.#files.map((file, index) => ({
      hunks: file.large ? [] : identified(path(index), file.hunks),
      lines: file.lines,
      binary: file.binary,
      large: file.large,
    }));
  }

  #line(line: string): void {
    const hunk = this.#hunk;
    if (hunk !== null && /^[-+ \\]/.test(line)) return this.#keep(hunk, line);
    if (line.startsWith('diff --git ')) {
      this.#hunk = null;
      this.#files.push({ hunks: [], lines: 0, bytes: 0, binary: false, large: false });
      return;
    }
    const file = this.#files.at(-1);
    if (file === undefined) return;
    if (/^Binary files .* differ$/.test(line)) file.binary = true;
    const head = HEAD.exec(line);
    if (head === null) return;
    const [oldStart, oldLines, newStart, newLines] = head.slice(1).map((text) => Number(text ?? 1));
    this.#hunk = {
      oldStart: oldStart ?? 0,
      oldLines: oldLines ?? 1,
      newStart: newStart ?? 0,
      newLines: newLines ?? 1,
      lines: [],
    };
    file.hunks.push(this.#hunk);
  }

  #keep(hunk: OpenHunk, line: string): void {
    const file = this.#files.at(-1);
    if (file === undefined || file.large) return;
    file.lines += 1;
    file.bytes += line.length;
    this.#lines += 1;
    const { linesPerFile, bytesPerFile, lines } = this.limits;
    if (file.lines <= linesPerFile && file.bytes <= bytesPerFile && this.#lines <= lines) {
      hunk.lines.push(line);
      return;
    }
    file.large = true;
    // Dropped parts do not count against other files.
    this.#lines -= this.#lines <= lines ? file.lines : 0;
  }
}

/** The same lines in the same file have the same id wherever they are; repeated hunks get a number. */
function identified(path: string, hunks: readonly OpenHunk[]): RawHunk[] {
  const seen = new Map<string, number>();
  return hunks.map((hunk) => {
    const hash = createHash('sha256')
      .update(`${path}\0${hunk.lines.join('\n')}`, 'latin1')
      .digest('hex');
    const short = hash.slice(0, 16);
    const count = (seen.get(short) ?? 0) + 1;
    seen.set(short, count);
    return { ...hunk, id: count === 1 ? short : `${short}-${count}` };
  });
}

export const shown = (hunk: RawHunk): DiffHunk => ({ ...hunk, lines: hunk.lines.map(readable) });

/** Octal escapes for everything except plain letters, so that names are unambiguous. */
const quoted = (path: string): string =>
  `"${path.replace(/["\\]|[^ -~]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`;

/** A patch with one hunk, for `git apply`. */
export function patchOf(
  file: {
    readonly path: string;
    readonly status: string;
    readonly oldMode: string;
    readonly newMode: string;
  },
  hunk: RawHunk,
): Buffer {
  const old = quoted(`a/${file.path}`);
  const now = quoted(`b/${file.path}`);
  const added = file.status === 'added';
  const deleted = file.status === 'deleted';
  const text = [
    `diff --git ${old} ${now}`,
    ...(added ? [`new file mode ${file.newMode}`] : []),
    ...(deleted ? [`deleted file mode ${file.oldMode}`] : []),
    `--- ${added ? '/dev/null' : old}`,
    `+++ ${deleted ? '/dev/null' : now}`,
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
    '',
  ];
  return Buffer.from(text.join('\n'), 'latin1');
}

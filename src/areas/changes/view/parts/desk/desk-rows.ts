import type { StackRow } from '@renderer/ui/lists/stack';
import type { HunkLine } from '../../../contract/hunk-lines';
import type { DiffFile, DiffHunk } from '../../../contract/procedures';
import { pairsOf } from './pairs';

/** Unchanged lines that are not shown, between two hunks or at an end of the file. */
export interface Gap {
  readonly id: string;
  /** The first hidden line, by its new number. */
  readonly from: number;
  /** The last one; null: the end of the file, which is not known yet. */
  readonly to: number | null;
  /** What is added to a new line number to get the old one. */
  readonly shift: number;
}

/** How many lines of a gap are shown at its upper and its lower edge. */
export interface Unfolded {
  readonly upper: number;
  readonly lower: number;
}

/** A row of the desk. A hunk begins with its head; its further lines are rows of their own. */
export type DeskRow = StackRow & { readonly file: DiffFile } & (
    | { readonly kind: 'file'; readonly folded: boolean }
    | { readonly kind: 'note'; readonly text: string }
    | { readonly kind: 'large' }
    | { readonly kind: 'image' }
    | { readonly kind: 'gap'; readonly gap: Gap }
    | { readonly kind: 'context'; readonly lines: readonly HunkLine[] }
    | {
        readonly kind: 'hunk' | 'lines';
        readonly hunk: DiffHunk;
        /** The key of the hunk's first row. */
        readonly of: string;
        /** Positions of lines, or of pairs of them in the split view. */
        readonly from: number;
        readonly to: number;
        readonly split: boolean;
        /** The hidden lines right above the hunk. */
        readonly gap: Gap | null;
      }
  );

interface DeskShape {
  readonly isFolded: (file: DiffFile) => boolean;
  readonly split: boolean;
  /** The lines of files that were read, by path; null: they cannot be read here. */
  readonly texts: ReadonlyMap<string, readonly string[]> | null;
  readonly unfolded: ReadonlyMap<string, Unfolded>;
}

export const FILE_PX = 36;
const NOTE_PX = 36;
const HEAD_PX = 30;
const GAP_PX = 28;
const LINE_PX = 20;
const IMAGE_PX = 260;
/** Lines of one row: few enough to be drawn within a frame. */
export const CHUNK = 16;

export const fileKey = (path: string): string => `file ${path}`;

export function deskRows(files: readonly DiffFile[], shape: DeskShape): DeskRow[] {
  const rows: DeskRow[] = [];
  for (const file of files) {
    const folded = shape.isFolded(file);
    rows.push({ kind: 'file', file, folded, key: fileKey(file.path), guess: FILE_PX });
    if (!folded) rows.push(...bodyOf(file, shape));
  }
  return rows;
}

function bodyOf(file: DiffFile, shape: DeskShape): DeskRow[] {
  const { path } = file;
  if (file.leftOut === 'large') return [{ kind: 'large', file, key: `large ${path}`, guess: NOTE_PX }];
  const image: DeskRow[] =
    shape.texts !== null && isPicture(path)
      ? [{ kind: 'image', file, key: `image ${path}`, guess: IMAGE_PX }]
      : [];
  if (file.leftOut === 'binary' && image.length > 0) return image;
  const note = noteOf(file);
  if (note !== null) return [{ kind: 'note', file, text: note, key: `note ${path}`, guess: NOTE_PX }];
  const counts = new Map<string, number>();
  const gaps = shape.texts === null ? [] : gapsOf(file, shape.texts.get(path)?.length ?? null);
  const hunks = file.hunks.flatMap((hunk, index): DeskRow[] => {
    // Two hunks of a file may have the same lines.
    const count = (counts.get(hunk.id) ?? 0) + 1;
    counts.set(hunk.id, count);
    const before = gaps.find((gap) => gap.at === index);
    const above = before === undefined ? [] : gapRows(file, before, shape);
    const last = above.at(-1);
    // The head of the hunk has the buttons of a gap that ends there.
    const gap = last?.kind === 'gap' ? last.gap : null;
    const key = `hunk ${path} ${hunk.id} ${count}`;
    return [
      ...(gap === null ? above : above.slice(0, -1)),
      ...hunkRows(file, hunk, { key, gap, split: shape.split }),
    ];
  });
  const after = gaps.find((gap) => gap.at === file.hunks.length);
  return [...image, ...hunks, ...(after === undefined ? [] : gapRows(file, after, shape))];
}

function hunkRows(
  file: DiffFile,
  hunk: DiffHunk,
  { key, gap, split }: { readonly key: string; readonly gap: Gap | null; readonly split: boolean },
): DeskRow[] {
  const count = split ? pairsOf(hunk).count : hunk.lines.length;
  const rows: DeskRow[] = [];
  for (let from = 0; from === 0 || from < count; from += CHUNK) {
    const to = Math.min(from + CHUNK, count);
    const guess = (to - from) * LINE_PX + (from === 0 ? HEAD_PX : 0);
    const place =
      from === 0 ? { kind: 'hunk' as const, key } : { kind: 'lines' as const, key: `${key} ${from}` };
    rows.push({ ...place, file, hunk, of: key, from, to, split, gap: from === 0 ? gap : null, guess });
  }
  return rows;
}

type PlacedGap = Gap & { readonly at: number };

/** The unchanged lines before, between and after the hunks of a file. `lines`: of its new side; null: not known. */
function gapsOf(file: DiffFile, lines: number | null): PlacedGap[] {
  if (file.status === 'added' || file.status === 'deleted') return [];
  const gaps: PlacedGap[] = [];
  let [next, shift] = [1, 0];
  for (const [at, hunk] of file.hunks.entries()) {
    // A hunk without new lines begins after the line that it names.
    const start = hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart;
    if (start > next) gaps.push({ at, id: `${file.path} ${at}`, from: next, to: start - 1, shift });
    next = start + hunk.newLines;
    shift = (hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart) + hunk.oldLines - next;
  }
  const at = file.hunks.length;
  if (lines === null || next <= lines)
    gaps.push({ at, id: `${file.path} ${at}`, from: next, to: lines, shift });
  return gaps;
}

function gapRows(file: DiffFile, gap: PlacedGap, { texts, unfolded }: DeskShape): DeskRow[] {
  const { id, from, to, shift } = gap;
  const text = texts?.get(file.path);
  const { upper = 0, lower = 0 } = unfolded.get(id) ?? {};
  const whole: DeskRow = { kind: 'gap', file, gap, key: `gap ${id}`, guess: GAP_PX };
  if (text === undefined || to === null) return [whole];
  const size = to - from + 1;
  const above = Math.min(upper, size);
  const below = Math.min(lower, size - above);
  const context = (first: number, count: number) => contextRows(file, { first, count, shift, text });
  const rest: DeskRow[] =
    above + below === size ? [] : [{ ...whole, gap: { ...gap, from: from + above, to: to - below } }];
  return [...context(from, above), ...rest, ...context(to - below + 1, below)];
}

interface Context {
  readonly first: number;
  readonly count: number;
  readonly shift: number;
  readonly text: readonly string[];
}

function contextRows(file: DiffFile, { first, count, shift, text }: Context): DeskRow[] {
  const rows: DeskRow[] = [];
  for (let at = first; at < first + count; at += CHUNK) {
    const many = Math.min(CHUNK, first + count - at);
    const lines = Array.from({ length: many }, (_, index): HunkLine => {
      const fresh = at + index;
      const key = `context ${fresh}`;
      return { kind: 'same', old: fresh + shift, fresh, text: text[fresh - 1] ?? '', key };
    });
    rows.push({ kind: 'context', file, lines, key: `context ${file.path} ${at}`, guess: many * LINE_PX });
  }
  return rows;
}

const isPicture = (path: string): boolean => /\.(png|jpe?g|gif|webp|avif|bmp|ico|svg)$/i.test(path);

/** Why a file shows no lines. */
function noteOf(file: DiffFile): string | null {
  if (file.leftOut === 'binary') return 'This binary file is not shown.';
  if (file.hunks.length > 0) return null;
  if (file.status === 'renamed') return 'Moved without changes.';
  return file.status === 'type_changed' ? 'Only its file type changed.' : 'No lines changed.';
}

/** The hunk, or the file, before or after a row; without a row the first or the last. */
export function nextRow(
  rows: readonly DeskRow[],
  kind: 'hunk' | 'file',
  { from, by }: { readonly from: string | null; readonly by: 1 | -1 },
): DeskRow | null {
  const at = rows.findIndex((row) => row.key === from);
  if (by === 1) return rows.find((row, index) => index > at && row.kind === kind) ?? null;
  return rows.findLast((row, index) => (at < 0 || index < at) && row.kind === kind) ?? null;
}

/** Added and removed lines in all files; binary ones count as none. */
export function total(files: readonly DiffFile[]): { added: number; removed: number } {
  return {
    added: files.reduce((sum, file) => sum + (file.added ?? 0), 0),
    removed: files.reduce((sum, file) => sum + (file.removed ?? 0), 0),
  };
}

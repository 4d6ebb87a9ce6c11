import type { StackRow } from '@renderer/ui/lists/stack';
import type { DiffFile, DiffHunk } from '../../contract/procedures';

/** A row in the list of changes. */
export type ChangeRow = StackRow &
  (
    | { readonly kind: 'file'; readonly file: DiffFile; readonly folded: boolean }
    | { readonly kind: 'hunk'; readonly file: DiffFile; readonly hunk: DiffHunk }
    | { readonly kind: 'note'; readonly file: DiffFile; readonly text: string }
  );

const FILE_PX = 37;
const NOTE_PX = 36;
const HUNK_PX = 36;
const LINE_PX = 19;

export const fileKey = (path: string): string => `file ${path}`;

export function changeRows(files: readonly DiffFile[], folded: ReadonlySet<string>): ChangeRow[] {
  return files.flatMap((file): ChangeRow[] => {
    const head: ChangeRow = {
      kind: 'file',
      file,
      folded: folded.has(file.path),
      key: fileKey(file.path),
      guess: FILE_PX,
    };
    if (head.folded) return [head];
    const note = noteOf(file);
    const notes: ChangeRow[] =
      note === null ? [] : [{ kind: 'note', file, text: note, key: `note ${file.path}`, guess: NOTE_PX }];
    const counts = new Map<string, number>();
    const hunks = file.hunks.map((hunk): ChangeRow => {
      // Two hunks of a file may have the same lines.
      const count = (counts.get(hunk.id) ?? 0) + 1;
      counts.set(hunk.id, count);
      const key = `hunk ${file.path} ${hunk.id} ${count}`;
      return { kind: 'hunk', file, hunk, key, guess: HUNK_PX + LINE_PX * Math.min(hunk.lines.length, 400) };
    });
    return [head, ...notes, ...hunks];
  });
}

/** Why a file shows no lines. */
function noteOf(file: DiffFile): string | null {
  if (file.leftOut === 'binary') return 'This binary file is not shown.';
  if (file.leftOut === 'large') return 'Its diff is too large to draw with the others.';
  if (file.hunks.length > 0) return null;
  if (file.status === 'renamed') return 'Moved without changes.';
  return file.status === 'type_changed' ? 'Only its file type changed.' : 'No lines changed.';
}

/** The hunk before or after a position; without a position the first or the last. */
export function nextHunk(rows: readonly ChangeRow[], from: string | null, by: 1 | -1): ChangeRow | null {
  const at = rows.findIndex((row) => row.key === from);
  const isHunk = (row: ChangeRow) => row.kind === 'hunk';
  if (by === 1) return rows.find((row, index) => index > at && isHunk(row)) ?? null;
  return rows.findLast((row, index) => (at < 0 || index < at) && isHunk(row)) ?? null;
}

/** Added and removed lines in all files; binary ones count as none. */
export function total(files: readonly DiffFile[]): { added: number; removed: number } {
  return {
    added: files.reduce((sum, file) => sum + (file.added ?? 0), 0),
    removed: files.reduce((sum, file) => sum + (file.removed ?? 0), 0),
  };
}

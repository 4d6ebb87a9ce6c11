import type { DiffFile } from '@areas/changes/contract/procedures';
import { counted } from './columns';
import { oneLine } from './evidence-lines';

const SIGNS = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R', type_changed: 'T' } as const;

const sum = (files: readonly DiffFile[], of: 'added' | 'removed'): number =>
  files.reduce((all, file) => all + (file[of] ?? 0), 0);

/** `2 files changed, +6003 -0`, and each of them with its counts. */
const fileLines = (files: readonly DiffFile[]): string[] => [
  `${counted(files.length, 'file')} changed, +${sum(files, 'added')} -${sum(files, 'removed')}`,
  ...files.map(({ path, oldPath, status, added, removed }) => {
    const tally = added === null || removed === null ? 'binary' : `+${added} -${removed}`;
    return `${SIGNS[status]}  ${oldPath === null ? '' : `${oneLine(oldPath)} -> `}${oneLine(path)}  ${tally}`;
  }),
];

/** The list of the files, then the lines of each. */
export const diffLines = (files: readonly DiffFile[]): string[] => [
  ...fileLines(files),
  ...files.flatMap((file) => ['', `${oneLine(file.path)}:`, ...hunkLines(file)]),
];

function hunkLines({ hunks, leftOut, status }: DiffFile): string[] {
  if (leftOut === 'binary') return ['(binary)'];
  if (leftOut === 'large') return ['(larger than can be shown)'];
  if (hunks.length === 0) return [status === 'renamed' ? '(moved without changes)' : '(no lines changed)'];
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.map((line) => line.replace(/\r$/, '')),
  ]);
}

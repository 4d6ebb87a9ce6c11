import { readFile } from 'node:fs/promises';
import { notesPath } from '@areas/terminals/contract/files';
import { type TerminalNote, terminalNoteSchema } from '@areas/terminals/contract/view';
import type { TerminalSize } from '../client';

/** The sizes that a program's terminal had, as noted beside its output, which begins at `start`. */
export async function sizesOf(outputPath: string, start: number): Promise<TerminalSize[]> {
  const text = await readFile(notesPath(outputPath), 'utf8').catch(() => '');
  const notes = text.split('\n').flatMap(read);
  // An earlier program in the same file may have been resized at its end.
  const begun = notes.findLastIndex(({ kind, offset }) => kind === 'begun' && offset === start);
  return notes
    .slice(begun + 1)
    .flatMap((note) =>
      note.kind === 'size' && note.offset >= start
        ? [{ bytes: note.offset - start, cols: note.cols, rows: note.rows }]
        : [],
    );
}

function read(line: string): TerminalNote[] {
  try {
    return [terminalNoteSchema.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}

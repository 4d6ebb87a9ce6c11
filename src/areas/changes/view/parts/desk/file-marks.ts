import { FileDiff, FileMinus2, FilePlus2, FileSymlink, type LucideIcon } from 'lucide-react';
import type { DiffFile } from '../../../contract/procedures';

/** What happened to a file, as icon and word. */
export const FILE_MARKS: Record<DiffFile['status'], { icon: LucideIcon; word: string; tone: string }> = {
  added: { icon: FilePlus2, word: 'new', tone: 'done' },
  modified: { icon: FileDiff, word: '', tone: 'grey' },
  deleted: { icon: FileMinus2, word: 'deleted', tone: 'failed' },
  renamed: { icon: FileSymlink, word: 'moved', tone: 'grey' },
  type_changed: { icon: FileDiff, word: 'type changed', tone: 'grey' },
};

import { readGuardedText } from '../guarded-files/read';
import { TEXT_FILE_BYTES } from '../limits/core-sizes';

/** A text, or why there is none and the remedy. */
export type TextFile =
  | { readonly text: string; readonly changedAt: number }
  | { readonly trouble: string; readonly mend: string };

/** Reads a text in `root` that a person wrote. Null if there is no such file. */
export const readTextFile = (path: string, root: string, most = TEXT_FILE_BYTES): Promise<TextFile | null> =>
  readGuardedText({ path, root, most });

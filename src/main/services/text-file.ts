import { readGuardedText } from '../guarded-files/read';
import { TEXT_FILE_BYTES } from '../limits/core-sizes';

/** A text, or why there is none and how to mend that. */
export type TextFile =
  | { readonly text: string; readonly changedAt: number }
  | { readonly trouble: string; readonly mend: string };

/** Reads a text that a person wrote, in `root`. Null where there is no such file. */
export const readTextFile = (path: string, root: string, most = TEXT_FILE_BYTES): Promise<TextFile | null> =>
  readGuardedText({ path, root, most });

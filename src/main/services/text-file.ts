import { readGuardedText } from '../guarded-files/read';

/** A text, or why there is none and how to mend that. */
export type TextFile =
  | { readonly text: string; readonly changedAt: number }
  | { readonly trouble: string; readonly mend: string };

/** No text that a person writes by hand comes near it; what is larger is not even read. */
const MAX_BYTES = 1024 * 1024;

/** Reads a text that a person wrote, in `root`. Null where there is no such file. */
export const readTextFile = (path: string, root: string, most = MAX_BYTES): Promise<TextFile | null> =>
  readGuardedText({ path, root, most });

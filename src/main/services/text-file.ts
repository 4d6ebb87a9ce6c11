import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';

/** A text, or why there is none and how to mend that. */
export type TextFile = { readonly text: string } | { readonly trouble: string; readonly mend: string };

/** No text that a person writes by hand comes near it; what is larger is not even read. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a text that somebody else wrote: UTF-8, of at most a megabyte, in `root` also by its real path. Null where
 * there is no such file.
 */
export async function readTextFile(path: string, root: string): Promise<TextFile | null> {
  try {
    const real = await realpath(path);
    if (!real.startsWith((await realpath(root)) + sep))
      return { trouble: 'the file is a link that leads out of its folder', mend: 'put the text itself here' };
    const facts = await stat(real);
    if (!facts.isFile()) return { trouble: 'it is no file', mend: 'put a text file here' };
    if (facts.size > MAX_BYTES) return { trouble: `the file has ${facts.size} bytes`, mend: 'shorten it' };
    const bytes = await readFile(real);
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (cause) {
    if (cause instanceof TypeError) return { trouble: 'it is not in UTF-8', mend: 'save it as UTF-8' };
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR')
      return { trouble: `it cannot be read: ${cause.message}`, mend: 'make it readable' };
    const link = await lstat(path).catch(() => null);
    return link === null ? null : { trouble: 'it is a link to nothing', mend: 'put the text itself here' };
  }
}

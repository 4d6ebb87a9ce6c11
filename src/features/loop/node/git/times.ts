import { stat } from 'node:fs/promises';

/** A file's times in milliseconds since 1970, by the file system's clock. */
interface Times {
  readonly born: number;
  readonly written: number;
}

/** When a file was created and last written; null if there is none. */
export const timesOf = async (path: string): Promise<Times | null> => {
  const facts = await stat(path).catch(() => null);
  return facts === null ? null : { born: facts.birthtimeMs, written: facts.mtimeMs };
};

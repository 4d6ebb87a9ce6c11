import { stat } from 'node:fs/promises';

/** Of a file, in milliseconds since 1970, by the clock of the files. */
interface Times {
  readonly born: number;
  readonly written: number;
}

/** When a file was made and when it was written last; null where there is none. */
export const timesOf = async (path: string): Promise<Times | null> => {
  const facts = await stat(path).catch(() => null);
  return facts === null ? null : { born: facts.birthtimeMs, written: facts.mtimeMs };
};

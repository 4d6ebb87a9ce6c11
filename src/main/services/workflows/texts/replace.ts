import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Result } from '@contract/result';
import { written } from '../../projects/project-write';
import { wholeText } from './place';

interface Replacement {
  /** The file as the operator knows it. */
  readonly shown: string;
  /** What it has to say still. */
  readonly now: string;
  readonly text: string;
}

/**
 * Puts a text in a file's place in one step, unless the file changed meanwhile; it keeps its mode. `path` is a real path,
 * so a link that leads to it stays a link. A file with several names is written in its place, because a new file would
 * have only one of them.
 */
export function replaceText(
  path: string,
  { shown, now, text }: Replacement,
): Promise<Result<'written' | 'changed'>> {
  return written(shown, {
    mend: 'try again',
    work: async () => {
      await access(path, constants.W_OK);
      const { mode, nlink } = await stat(path);
      const fresh = join(dirname(path), `.${randomUUID()}.tmp`);
      try {
        await writeFile(fresh, text, { flag: 'wx', mode, flush: true });
        // The mode of a new file is cut by the umask.
        await chmod(fresh, mode & 0o7777);
        const read = await wholeText(path, shown);
        if (!read.ok || read.value.text !== now) return 'changed';
        // There is room for it: it was written whole beside it.
        if (nlink > 1) await writeFile(path, text, { flush: true });
        else await rename(fresh, path);
        return 'written';
      } finally {
        await rm(fresh, { force: true });
      }
    },
  });
}

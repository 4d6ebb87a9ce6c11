import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { noteOwnWrite } from '@areas/projects/node/own-writes';
import { written } from '@areas/projects/node/project-write';
import type { Result } from '@contract/result';
import { wholeText } from './place';

interface Replacement {
  /** The file's path for the operator. */
  readonly shown: string;
  /** The content it must still have. */
  readonly now: string;
  readonly text: string;
}

/**
 * Replaces a file's text atomically, unless the file changed meanwhile; keeps its mode. `path` has links
 * resolved, so a link to it stays a link. A file with several hard links is written in place, because a new
 * file would have only one of the names.
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
        // The umask restricts the mode of a new file.
        await chmod(fresh, mode & 0o7777);
        const read = await wholeText(path, shown);
        if (!read.ok || read.value.text !== now) return 'changed';
        // There is enough space: the whole text was written beside it.
        if (nlink > 1) await writeFile(path, text, { flush: true });
        else {
          await noteOwnWrite(path, fresh);
          await rename(fresh, path);
        }
        return 'written';
      } finally {
        await rm(fresh, { force: true });
      }
    },
  });
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { foldersUp } from '@main/guarded-files/search-up';

/**
 * A file's project: the nearest parent folder with a .muster folder, else the repository, else the file's
 * folder. The file need not exist.
 */
export function projectFolder(file: string): string {
  for (const mark of ['.muster', '.git']) {
    for (const folder of foldersUp(dirname(file))) {
      if (existsSync(join(folder, mark))) return folder;
    }
  }
  return dirname(file);
}

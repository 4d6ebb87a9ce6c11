import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A file's project: the nearest parent folder with a .muster folder, else the repository, else the file's
 * folder. The file need not exist.
 */
export function projectFolder(file: string): string {
  for (const mark of ['.muster', '.git']) {
    for (let folder = dirname(file); ; folder = dirname(folder)) {
      if (existsSync(join(folder, mark))) return folder;
      if (dirname(folder) === folder) break;
    }
  }
  return dirname(file);
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The project that a file belongs to: the nearest folder above that has a .muster folder, else the repository, else where
 * the file lies. The file need not be there.
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

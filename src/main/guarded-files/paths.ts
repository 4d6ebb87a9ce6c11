import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

const MOST_LINKS = 40;

/**
 * A path with links resolved. For a missing file, from its nearest existing folder; for a dangling link, its
 * target, where a write would create the file.
 */
export async function realPath(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const target = links < MOST_LINKS ? await readlink(path).catch(() => null) : null;
    if (target !== null) return realPath(resolve(dirname(path), target), links + 1);
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent, links), basename(path));
  }
}

/** Whether a path is a folder or below it; both are absolute, with links resolved if that matters. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

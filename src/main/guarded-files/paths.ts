import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

const MOST_LINKS = 40;

/**
 * Where `path` really leads. What does not exist yet lies where its nearest existing folder really is, and a link to
 * nothing leads where it points: a write would make the file there.
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

/** Whether a path is a folder or is below it; both are absolute, and real where links matter. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

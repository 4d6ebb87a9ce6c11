import { isAbsolute, relative, sep } from 'node:path';
import { isInside, realPath } from './paths';

/** `real`: where the path leads, and the folder that it is in, both with links resolved. */
export type Confinement =
  | { readonly real: string; readonly root: string }
  /** `git`: it belongs to git, which takes what is there for its configuration and runs its hooks. */
  | { readonly refused: 'relative' | 'outside' | 'git' };

/**
 * Whether a session may read or write a path, or run a command in it: the one rule for files and terminals that agents use
 * through Muster, and for paths in histories of other machines. `roots` are the folders of the session.
 */
export async function mayTouch(
  path: string,
  roots: readonly string[],
  how: 'read' | 'write',
): Promise<Confinement> {
  if (!isAbsolute(path)) return { refused: 'relative' };
  const real = await realPath(path);
  for (const folder of roots) {
    const root = await realPath(folder);
    if (!isInside(root, real)) continue;
    return how === 'write' && isOfGit(relative(root, real)) ? { refused: 'git' } : { real, root };
  }
  return { refused: 'outside' };
}

/** The names that file systems take for `.git`, too: other case, dots or blanks at the end, the short name of Windows. */
const isOfGit = (way: string): boolean =>
  way.split(sep).some((name) => /^(\.git|git~\d+)[. ]*(:.*)?$/i.test(name.replace(/\p{Cf}/gu, '')));

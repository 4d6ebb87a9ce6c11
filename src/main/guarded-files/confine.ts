import { isAbsolute, relative, sep } from 'node:path';
import { isInside, realPath } from './paths';

/** `real`: the path and its parent folder, with links resolved. */
export type Confinement =
  | { readonly real: string; readonly root: string }
  /** `git`: it belongs to git, which would use it as configuration and run its hooks. */
  | { readonly refused: 'relative' | 'outside' | 'git' };

/**
 * Whether a session may read or write a path, or run a command in it: the single rule for agents' files and
 * terminals through Muster, and for paths in other machines' histories. `roots` are the session's folders.
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

/**
 * Other names that file systems treat as `.git`: other case, trailing dots or blanks, Windows short names.
 */
const isOfGit = (way: string): boolean =>
  way.split(sep).some((name) => /^(\.git|git~\d+)[. ]*(:.*)?$/i.test(name.replace(/\p{Cf}/gu, '')));

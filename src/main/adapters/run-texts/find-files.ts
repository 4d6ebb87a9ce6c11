import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { FreezeRequest } from '../../core/ports/run-texts';
import { globPattern, globRoot, isGlob } from './glob';

export interface FoundFile {
  /** The file's name for the operator: relative to the project if it is inside. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

/** Runs git in a folder; null if it fails. */
export type GitIn = (cwd: string, ...args: readonly string[]) => Promise<string | null>;

/**
 * All files named by paths, folders and globs, each once, in order; ignored files only if named explicitly.
 */
export async function findFiles(
  git: GitIn,
  { projectPath, paths, anywhere }: Pick<FreezeRequest, 'projectPath' | 'paths' | 'anywhere'>,
): Promise<Result<readonly FoundFile[]>> {
  const root = await realpath(projectPath).catch(() => projectPath);
  const found = new Map<string, FoundFile>();
  for (const path of paths) {
    const named = await filesAt(git, resolve(projectPath, path), path);
    if (!named.ok) return named;
    for (const file of named.value) {
      const real = await realpath(file).catch(() => null);
      const facts = real === null ? null : await stat(real).catch(() => null);
      if (real === null || facts === null || !facts.isFile()) continue;
      if (!anywhere && !isInside(root, real)) return err(outside(path));
      const inside = relative(projectPath, file);
      const name = inside.startsWith('..') || isAbsolute(inside) ? file : inside.replaceAll(sep, '/');
      if (!found.has(real)) found.set(real, { name, path: real, bytes: facts.size });
    }
  }
  return ok([...found.values()]);
}

async function filesAt(git: GitIn, path: string, named: string): Promise<Result<string[]>> {
  const facts = await stat(path).catch(() => null);
  if (facts?.isFile()) return ok([path]);
  if (facts?.isDirectory()) return ok((await listed(git, path)).map((one) => join(path, one)));
  if (!isGlob(named)) return err(missing(named));
  const glob = path.replaceAll(sep, '/');
  const root = globRoot(glob);
  const isFolder = await stat(root).then(
    (one) => one.isDirectory(),
    () => false,
  );
  if (!isFolder) return err(missing(named));
  const pattern = globPattern(glob);
  if (pattern === null) return err(missing(named));
  const files = (await listed(git, root)).map((one) => join(root, one));
  const matching = files.filter((one) => pattern.test(one.replaceAll(sep, '/')));
  return matching.length === 0 ? err(missing(named)) : ok(matching);
}

/** The files below a folder according to git; without git, all except hidden ones and installed packages. */
async function listed(git: GitIn, folder: string): Promise<string[]> {
  const known = await git(folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  const files = known === null ? await walked(folder, '') : known.split('\0').filter((one) => one !== '');
  return [...new Set(files)].sort();
}

async function walked(root: string, inside: string): Promise<string[]> {
  const entries = await readdir(join(root, inside), { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(inside, entry.name);
    if (entry.isDirectory()) files.push(...(await walked(root, path)));
    else files.push(path);
  }
  return files;
}

const isInside = (root: string, path: string): boolean => path === root || path.startsWith(root + sep);

const missing = (named: string): AppError =>
  appError('not_found', `There is no document at ${named}.`, {
    mend: 'Name a file, a folder or a glob such as "docs/**/*.md".',
  });

const outside = (named: string): AppError =>
  appError('input.invalid', `${named} leads outside of the project.`, {
    mend: 'Put the documents into the project, or ask with `muster rlm ask --docs`.',
  });

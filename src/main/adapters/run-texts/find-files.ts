import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { FreezeRequest } from '../../core/ports/run-texts';
import { globPattern, globRoot, isGlob } from './glob';

interface FoundFile {
  /** The file's name for the operator: relative to the project if it is inside. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Why the first folder without files has none; null if each has some. */
  readonly none: AppError | null;
}

/** Runs git in a folder; null if it fails. */
export type GitIn = (cwd: string, ...args: readonly string[]) => Promise<string | null>;

/**
 * All files named by paths, folders and globs, each once, in order; ignored files only if named explicitly.
 */
export async function findFiles(
  git: GitIn,
  { projectPath, paths, anywhere }: Pick<FreezeRequest, 'projectPath' | 'paths' | 'anywhere'>,
): Promise<Result<FoundFiles>> {
  const root = await realpath(projectPath).catch(() => projectPath);
  const found = new Map<string, FoundFile>();
  let none: AppError | null = null;
  for (const path of paths) {
    const named = await filesAt(git, resolve(projectPath, path), path);
    if (!named.ok) return named;
    if (named.value.length === 0) none ??= await noneIn(git, resolve(projectPath, path), path);
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
  return ok({ files: [...found.values()], none });
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
  const matching = (names: readonly string[]): string[] =>
    names.map((one) => join(root, one)).filter((one) => pattern.test(one.replaceAll(sep, '/')));
  const files = matching(await listed(git, root));
  if (files.length > 0) return ok(files);
  return err(matching(await ignored(git, root)).length > 0 ? allIgnored(named) : missing(named));
}

const noneIn = async (git: GitIn, folder: string, named: string): Promise<AppError> =>
  (await ignored(git, folder)).length > 0
    ? allIgnored(named)
    : appError('input.invalid', `There is no document in the folder ${named}.`, {
        mend: 'Name another folder, or a file.',
      });

/** The files below a folder that git ignores. */
async function ignored(git: GitIn, folder: string): Promise<string[]> {
  const found = await git(folder, 'ls-files', '-z', '--others', '--ignored', '--exclude-standard');
  return (found ?? '').split('\0').filter((one) => one !== '');
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

const allIgnored = (named: string): AppError =>
  appError('input.invalid', `Git ignores all files of ${named}, so there is no document to ask about.`, {
    mend: 'Name the files themselves: an ignored file is read if it is named.',
  });

const outside = (named: string): AppError =>
  appError('input.invalid', `${named} leads outside of the project.`, {
    mend: 'Put the documents into the project, or ask with `muster rlm ask --docs`.',
  });

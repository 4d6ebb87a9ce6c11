import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';

/** The path of a folder in a project; refuses a link that leads out of the project. */
export async function folderInProject(projectPath: string, folder: string): Promise<Result<string>> {
  const root = await realpath(projectPath).catch(() => null);
  if (root === null) return fail('not_found', `there is no folder ${projectPath}`);
  for (let inner = folder; inner !== '.'; inner = dirname(inner)) {
    const real = await realpath(join(projectPath, inner)).catch(() => null);
    if (real !== null && !real.startsWith(root + sep))
      return fail('input.invalid', `${inner} is a link that leads out of the project`);
  }
  return ok(join(projectPath, folder));
}

/**
 * Converts the errors of a write: `conflict` if `file` exists, `store.disk_full`, else
 * `project.not_writable`.
 */
export async function written<T>(
  file: string,
  { mend, work }: { readonly mend: string; readonly work: () => Promise<T> },
): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    if (cause.code === 'EEXIST') return fail('conflict', `${file} already exists`, { mend });
    return err(notWritten(file, cause.code, cause.message));
  }
}

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
const READ_ONLY: ReadonlySet<unknown> = new Set(['EROFS', 'EACCES', 'EPERM']);

/** The system's message names a temporary file, so it is shown only if it adds information. */
function notWritten(file: string, code: unknown, message: string): AppError {
  if (FULL.has(code))
    return appError('store.disk_full', `${file} was not written: the disk is full.`, {
      mend: 'Free some space, then try again.',
    });
  if (READ_ONLY.has(code))
    return appError('project.not_writable', `${file} was not written: it or its folder is read-only.`, {
      mend: 'Make the file and its folder writable, then try again.',
    });
  return appError('project.not_writable', `${file} was not written: ${message}`, {
    mend: 'See that its folder can be written, then try again.',
  });
}

interface NewFile {
  /** Relative to the project. */
  readonly folder: string;
  /** The content's name, from which the file name is made; `unnamed` if nothing is left of it. */
  readonly name: string;
  readonly unnamed: string;
  readonly text: string;
  readonly mend: string;
}

/** Creates a YAML file in a project's folder and returns its path in the project. Never overwrites a file. */
export async function newFileInProject(
  projectPath: string,
  { folder, name, unnamed, text, mend }: NewFile,
): Promise<Result<{ file: string }>> {
  const inside = await folderInProject(projectPath, folder);
  if (!inside.ok) return inside;
  const fileName = `${fileNameOf(name) || unnamed}.yaml`;
  const file = join(folder, fileName);
  const done = await written(file, {
    mend,
    work: async () => {
      await mkdir(inside.value, { recursive: true });
      await writeFile(join(inside.value, fileName), text, { flag: 'wx' });
    },
  });
  return done.ok ? ok({ file }) : done;
}

/** `Release notes!` becomes `release-notes.yaml`. */
const fileNameOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60);

import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';

/** The path of a folder in a project; a folder that is a link out of the project is refused. */
export async function folderInProject(projectPath: string, folder: string): Promise<Result<string>> {
  const root = await realpath(projectPath).catch(() => null);
  if (root === null) return err(appError('not_found', `there is no folder ${projectPath}`));
  for (let inner = folder; inner !== '.'; inner = dirname(inner)) {
    const real = await realpath(join(projectPath, inner)).catch(() => null);
    if (real !== null && !real.startsWith(root + sep))
      return err(appError('input.invalid', `${inner} is a link that leads out of the project`));
  }
  return ok(join(projectPath, folder));
}

/** A write whose faults are values: `conflict` where `file` exists, `store.disk_full`, else `project.not_writable`. */
export async function written<T>(
  file: string,
  { mend, work }: { readonly mend: string; readonly work: () => Promise<T> },
): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    if (cause.code === 'EEXIST') return err(appError('conflict', `${file} already exists`, { mend }));
    return err(notWritten(file, cause.code, cause.message));
  }
}

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
const READ_ONLY: ReadonlySet<unknown> = new Set(['EROFS', 'EACCES', 'EPERM']);

/** The message of the system names a temporary file beside the one that is meant, so it is told only where it says more. */
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
  /** What it holds is called so; its file name is made of this, or of `unnamed` where that leaves nothing. */
  readonly name: string;
  readonly unnamed: string;
  readonly text: string;
  readonly mend: string;
}

/** Makes a YAML file in a folder of a project and gives its path in the project. Existing files are not overwritten. */
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

/** `Release notes!` is kept in `release-notes.yaml`. */
const fileNameOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60);

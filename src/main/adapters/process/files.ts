import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { WorkspaceFiles } from '../../core/ports/files';
import { isInside, realPath } from '../../guarded-files/paths';

async function admit(path: string, roots: readonly string[]): Promise<Result<string>> {
  if (!isAbsolute(path)) return err(appError('input.invalid', `${path} is not an absolute path.`));
  const real = await realPath(path);
  for (const root of roots) if (isInside(await realPath(root), real)) return ok(real);
  return err(
    appError('input.invalid', `${path} is outside the session's workspace.`, {
      where: { file: path },
      mend: `Stay inside ${roots.join(' or ')}.`,
    }),
  );
}

function failure(path: string, error: unknown): AppError {
  const { code, message } = error as NodeJS.ErrnoException;
  const where = { file: path };
  if (code === 'ENOENT') return appError('not_found', `${path} does not exist.`, { where });
  if (code === 'ENOSPC') return appError('store.disk_full', `${path}: the disk is full.`, { where });
  return appError('unavailable', `${path}: ${message}`, { where });
}

async function attempt<T>(path: string, action: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await action());
  } catch (error) {
    return err(failure(path, error));
  }
}

/** Files by way of Node. */
export const nodeFiles: WorkspaceFiles = {
  async readText(path, roots) {
    const real = await admit(path, roots);
    return real.ok ? attempt(path, () => readFile(real.value, 'utf8')) : real;
  },

  async writeText(path, text, roots) {
    const real = await admit(path, roots);
    if (!real.ok) return real;
    return attempt(path, async () => {
      await mkdir(dirname(real.value), { recursive: true });
      await writeFile(real.value, text);
      return null;
    });
  },

  readBytes: (path) => attempt(path, () => readFile(path)),

  async same(a, b) {
    return (await realPath(a)) === (await realPath(b));
  },

  real: (path) => realPath(path),

  async isFile(path) {
    try {
      return (await stat(path)).isFile();
    } catch {
      return false;
    }
  },
};

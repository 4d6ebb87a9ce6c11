import { constants } from 'node:fs';
import { lstat, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { WorkspaceFiles } from '../../core/ports/files';
import { type Confinement, mayTouch } from '../../guarded-files/confine';
import { realPath } from '../../guarded-files/paths';
import { readGuarded } from '../../guarded-files/read';
import { WORKSPACE_FILE_BYTES } from '../../limits/core-sizes';

type Admitted = Extract<Confinement, { real: string }>;

async function admit(
  path: string,
  roots: readonly string[],
  how: 'read' | 'write',
): Promise<Result<Admitted>> {
  const verdict = await mayTouch(path, roots, how);
  if ('real' in verdict) return ok(verdict);
  const where = { file: path };
  switch (verdict.refused) {
    case 'relative':
      return fail('input.invalid', `${path} is not an absolute path.`);
    case 'git':
      return fail('input.invalid', `${path} belongs to git, so Muster does not write it.`, {
        where,
        mend: 'Use git itself.',
      });
    case 'outside':
      return fail('input.invalid', `${path} is outside the session's workspace.`, {
        where,
        mend: `Stay inside ${roots.join(' or ')}.`,
      });
  }
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

/** Agents can create named pipes and links to devices as easily as files: neither is opened. */
async function guarded(path: string, { root, real }: Admitted): Promise<Result<Buffer>> {
  const read = await readGuarded({ root, path: real, most: WORKSPACE_FILE_BYTES });
  if (read === null) return fail('not_found', `${path} does not exist.`, { where: { file: path } });
  if ('bytes' in read) return ok(read.bytes);
  return fail('unavailable', `${path}: ${read.trouble}.`, { where: { file: path }, mend: read.mend });
}

/** Overwrites a regular file. Does not follow a link or wait for a named pipe that replaced it meanwhile. */
async function writeRegular(path: string, text: string): Promise<void> {
  const flags =
    constants.O_WRONLY | constants.O_CREAT | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const there = await lstat(path).catch(() => null);
  if (there !== null && !there.isFile()) throw new Error('it is not a regular file');
  const file = await open(path, flags, 0o666);
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is not a regular file');
    await file.truncate(0);
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** Files with Node. */
export const nodeFiles: WorkspaceFiles = {
  async readText(path, roots) {
    const admitted = await admit(path, roots, 'read');
    if (!admitted.ok) return admitted;
    const read = await guarded(path, admitted.value);
    return read.ok ? ok(read.value.toString('utf8')) : read;
  },

  async writeText(path, text, roots) {
    const admitted = await admit(path, roots, 'write');
    if (!admitted.ok) return admitted;
    const { real } = admitted.value;
    return attempt(path, async () => {
      await mkdir(dirname(real), { recursive: true });
      await writeRegular(real, text);
      return null;
    });
  },

  inside: async (path, roots) => 'real' in (await mayTouch(path, roots, 'read')),

  mayWrite: async (path, roots) => 'real' in (await mayTouch(path, roots, 'write')),

  readBytes: (path) => guarded(path, { root: dirname(path), real: path }),

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

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';

const run = promisify(execFile);

/**
 * Makes the sample project: a copy of the files that Muster brings along, as a git repository of its own with one
 * commit. A sample that is there already is taken as it is; anything else in its place is left alone. It stands in its
 * place only once it is whole. `env`: as programs of the operator's get it, so that git is found.
 */
export async function makeSampleProject(
  paths: { from: string; to: string },
  env: NodeJS.ProcessEnv,
): Promise<Result<string>> {
  const { from, to } = paths;
  const making = `${to}.making`;
  if (existsSync(`${to}/.muster/workflows`)) return ok(to);
  try {
    if (existsSync(to) && (await readdir(to)).length > 0) {
      return err(
        appError('conflict', `${to} is not empty`, { where: { file: to }, mend: 'choose an empty folder' }),
      );
    }
    await mkdir(dirname(to), { recursive: true });
    await rm(making, { recursive: true, force: true });
    await cp(from, making, { recursive: true });
    const git = (...args: string[]) =>
      run(
        'git',
        [
          '-c',
          'user.name=Muster sample',
          '-c',
          'user.email=sample@muster.invalid',
          '-c',
          'commit.gpgsign=false',
          '-c',
          `core.hooksPath=${devNull}`,
          ...args,
        ],
        { cwd: making, env },
      );
    await git('init', '--quiet', '--initial-branch=main');
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'The sample project');
    // An empty one may stand there.
    if (existsSync(to)) await rmdir(to);
    await rename(making, to);
    return ok(to);
  } catch (cause) {
    await rm(making, { recursive: true, force: true }).catch(() => undefined);
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    return err(
      appError('project.not_writable', `the sample project could not be made in ${to}: ${String(cause)}`, {
        where: { file: to },
        mend: missing ? 'install git' : 'check that the folder can be written',
      }),
    );
  }
}

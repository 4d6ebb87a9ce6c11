import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { devNull } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { fail, ok, type Result } from '@contract/result';

const run = promisify(execFile);

/** The operator's own name, signature and hooks do not apply to a sample. */
const SETTINGS = [
  'user.name=Muster sample',
  'user.email=sample@muster.invalid',
  'commit.gpgsign=false',
  `core.hooksPath=${devNull}`,
];

/**
 * Creates the sample project: a copy of Muster's sample files as a separate git repository with one commit;
 * all or nothing. An existing sample is used unchanged, or gets a repository if it lacks one; anything else
 * in its place is left alone. `env`: the environment of the operator's programs, so that git is found.
 */
export async function makeSampleProject(
  paths: { from: string; to: string },
  env: NodeJS.ProcessEnv,
): Promise<Result<string>> {
  const { from, to } = paths;
  try {
    if (existsSync(`${to}/.muster/workflows`)) {
      if (!existsSync(`${to}/.git`)) await makeRepository(to, env);
      return ok(to);
    }
    if (existsSync(to) && (await readdir(to)).length > 0) {
      return fail('conflict', `${to} is not empty`, { where: { file: to }, mend: 'choose an empty folder' });
    }
    await makeBeside({ from, to }, env);
    return ok(to);
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    return fail('project.not_writable', `the sample project could not be made in ${to}: ${String(cause)}`, {
      where: { file: to },
      mend: missing ? 'install git' : 'check that the folder can be written',
    });
  }
}

/** In a temporary folder until complete: whatever is found in its place counts as a sample. */
async function makeBeside({ from, to }: { from: string; to: string }, env: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const beside = await mkdtemp(join(dirname(to), `.${basename(to)}-`));
  try {
    const made = join(beside, basename(to));
    await cp(from, made, { recursive: true });
    await makeRepository(made, env);
    // Windows cannot rename to an existing folder, not even an empty one.
    if (existsSync(to)) await rmdir(to);
    await rename(made, to);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

async function makeRepository(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const set = SETTINGS.flatMap((setting) => ['-c', setting]);
  const git = (...args: string[]) => run('git', [...set, ...args], { cwd: folder, env });
  try {
    await git('init', '--quiet', '--initial-branch=main');
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'The sample project');
  } catch (cause) {
    await rm(join(folder, '.git'), { recursive: true, force: true });
    throw cause;
  }
}

import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readlink, realpath, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { err, fail, ok, type Result } from '@contract/result';
import { failure } from '../command/failure';
import { Git, readable } from '../command/git-command';
import type { GitRunner } from '../command/run-git';

interface CopyWish {
  /** The project's folder, which the globs are relative to. */
  readonly from: string;
  /** The corresponding folder in the new worktree. */
  readonly to: string;
  readonly globs: readonly string[];
  /** A file of the project with patterns of further ignored files to copy, written like a `.gitignore`. */
  readonly include?: string;
  readonly limitBytes: number;
  readonly git?: GitRunner;
}

/**
 * Copies ignored files of the project into an unused worktree. Never replaces a file of the branch; files
 * copied by an interrupted earlier try are copied again. Links are copied as links.
 */
export async function copyIgnored(wish: CopyWish): Promise<Result<void>> {
  const where = { path: 'worktree.copy' };
  try {
    const found = await ignoredFiles(wish);
    if (!found.ok) return found;
    const paths = [...new Set([...found.value, ...(await includedFiles(wish))])];
    const facts = await Promise.all(
      paths.map(async (path) => ({ path, is: await lstat(join(wish.from, path)) })),
    );
    const bytes = facts.reduce((sum, { is }) => sum + (is.isFile() ? is.size : 0), 0);
    if (bytes > wish.limitBytes) {
      const size = (count: number) => `${Math.ceil(count / 1024 / 1024)} MB`;
      const message = `The ignored files to copy are ${size(bytes)}, more than ${size(wish.limitBytes)}.`;
      const mend = "Narrow 'worktree.copy', or let 'worktree.setup' fetch or link the large ones.";
      return fail('workspace.failed', message, { where, mend });
    }
    const git = new Git(wish.to, wish.git);
    const tracked = new Set((await git.records(['ls-files', '-z'])).map(readable));
    const root = await realpath(wish.to);
    for (const { path, is } of facts) {
      if (!is.isFile() && !is.isSymbolicLink()) continue;
      if (!tracked.has(path)) await copyOne(join(wish.from, path), join(root, path), root);
    }
    return ok(undefined);
  } catch (error) {
    return err(failure('Ignored files could not be copied', error, wish.to));
  }
}

/** The ignored files that `.worktreeinclude` names. */
async function includedFiles({ from, include, git }: CopyWish): Promise<string[]> {
  if (include === undefined || !(await lstat(join(from, include)).catch(() => null))?.isFile()) return [];
  const others = (...rules: string[]) =>
    new Git(from, git).records(['ls-files', '-z', '-o', '-i', ...rules, '--', '.']);
  const ignored = new Set(await others('--exclude-standard'));
  const named = await others(`--exclude-from=${join(from, include)}`);
  return named.filter((path) => ignored.has(path)).map(readable);
}

async function ignoredFiles({ from, globs, git }: CopyWish): Promise<Result<string[]>> {
  if (globs.length === 0) return ok([]);
  const bad = globs.find((glob) => /^[/\\~]|^[A-Za-z]:/.test(glob) || glob.split(/[/\\]/).includes('..'));
  if (bad !== undefined) {
    const message = `'${bad}' in 'worktree.copy' leads out of the project.`;
    const mend = "Give globs from the project's folder, such as '.env' or 'config/*.key'.";
    return fail('workspace.failed', message, { where: { path: 'worktree.copy' }, mend });
  }
  const patterns = globs.map((glob) => `:(glob)${glob.replace(/\/$/, '')}`);
  const list = ['ls-files', '-z', '-o', '-i', '--exclude-standard', '--', ...patterns];
  const found = await new Git(from, git, { GIT_LITERAL_PATHSPECS: '0' }).records(list);
  return ok(found.map(readable).filter((path) => !path.endsWith('/')));
}

async function copyOne(from: string, to: string, root: string): Promise<void> {
  const parent = await makeParent(dirname(to), root);
  // A link of the branch that leads out of the worktree is not followed.
  if (parent === null) return;
  const target = join(parent, basename(to));
  const is = await lstat(from).catch(() => null);
  // A named pipe or device would block the copying thread.
  if (is === null || !(is.isFile() || is.isSymbolicLink())) return;
  const old = await lstat(target).catch(() => null);
  if (old?.isDirectory()) return;
  if (old !== null) await unlink(target);
  if (is.isSymbolicLink()) return symlink(await readlink(from), target);
  await copyFile(from, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

async function makeParent(folder: string, root: string): Promise<string | null> {
  const inside = (path: string) => path === root || path.startsWith(root + sep);
  // The nearest existing folder, so that nothing is created behind a link that leads out.
  let nearest = folder;
  let real = await realpath(nearest).catch(() => null);
  while (real === null && nearest !== dirname(nearest)) {
    nearest = dirname(nearest);
    real = await realpath(nearest).catch(() => null);
  }
  if (real === null || !inside(real)) return null;
  await mkdir(folder, { recursive: true });
  return realpath(folder);
}

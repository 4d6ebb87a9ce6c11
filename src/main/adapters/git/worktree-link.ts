import { lstat, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import type { Git } from './command/git-command';

/** Larger than any file that git writes there. */
const MOST_BYTES = 64 * 1024;

/** An agent may have put anything in its place. */
export async function smallFile(path: string): Promise<string | null> {
  const facts = await lstat(path).catch(() => null);
  if (facts === null || !facts.isFile() || facts.size > MOST_BYTES) return null;
  return readFile(path, 'utf8').catch(() => null);
}

/** A linked worktree's git folder, read without git; null if worktree and repository do not match. */
export async function linkedGitDir(root: string): Promise<string | null> {
  const link = join(root, '.git');
  const [, named] = /^gitdir: (.+)\s*$/.exec((await smallFile(link)) ?? '') ?? [];
  if (named === undefined) return null;
  const gitDir = resolve(root, named);
  // A folder that was moved aside still names its successor's git folder.
  const back = (await smallFile(join(gitDir, 'gitdir')))?.trim();
  return back !== undefined && resolve(gitDir, back) === resolve(link) ? gitDir : null;
}

/** The worktree of Muster's that contains a path; null if it is in none. */
export function rootOf(path: string, worktreesDir: string): string | null {
  const inside = relative(worktreesDir, path);
  const [name = '..'] = inside.split(/[/\\]/);
  return name === '' || name === '..' ? null : join(worktreesDir, name);
}

const AGAIN = 'Resume the run: Muster makes it again from its branch and last snapshot.';

/** Why a worktree cannot be read, without starting git; null if its link to the repository is whole. */
export async function linkProblem(root: string): Promise<AppError | null> {
  if (
    !(await stat(root).then(
      (facts) => facts.isDirectory(),
      () => false,
    ))
  )
    return unreadable('not_found', root, { what: 'the folder is gone', mend: AGAIN });
  const gitDir = await linkedGitDir(root);
  if (gitDir !== null && basename(dirname(gitDir)) === 'worktrees') return null;
  const link = await lstat(join(root, '.git')).catch(() => null);
  if (link === null)
    return unreadable('workspace.unreadable', root, {
      what: '.git is missing',
      mend: "Run 'git worktree repair' in the project, or resume the run: Muster repairs it if it can.",
    });
  return unreadable('workspace.unreadable', root, {
    what: link.isDirectory()
      ? '.git is another repository'
      : '.git does not lead to the project’s repository',
    mend: `Move ${join(root, '.git')} aside and run 'git worktree repair' in the project, then resume the run.`,
  });
}

const unreadable = (
  code: 'not_found' | 'workspace.unreadable',
  root: string,
  { what, mend }: { readonly what: string; readonly mend: string },
): AppError =>
  appError(code, `The workspace cannot be read: ${what} (${root}).`, { where: { file: root }, mend });

/** Restores a missing link. Git knows the worktree's folder from its own entry. */
export async function repairLink(git: Git, root: string): Promise<AppError | null> {
  const problem = await linkProblem(root);
  if (problem?.code !== 'workspace.unreadable') return problem;
  await git.maybe('worktree', 'repair');
  return linkProblem(root);
}

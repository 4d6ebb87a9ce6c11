import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { type SimpleGit, simpleGit } from 'simple-git';

export interface Repository {
  readonly git: SimpleGit;
  /** The same git at another folder. */
  at(path: string): SimpleGit;
  /** Where the project lies inside its repository; empty at its root. */
  readonly prefix: string;
  readonly head: string;
}

/** simple-git itself keeps GIT_* variables of Muster's own environment away from its children. */
export function gitAt(path: string, binary = 'git'): SimpleGit {
  return simpleGit({
    baseDir: path,
    binary,
    // Hooks of the operator's are for the operator's own checkouts: they may be slow, ask, or fail.
    config: [`core.hooksPath=${process.platform === 'win32' ? 'NUL' : '/dev/null'}`],
    unsafe: { allowUnsafeHooksPath: true },
  });
}

export const gitMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().split('\n').slice(0, 5).join('\n');

const IN_A_FOLDER = "or set 'workspace: folder' in the workflow";

/** What the project's repository is, or why no worktree can be made of it. */
export async function inspect(projectPath: string, binary?: string): Promise<Result<Repository>> {
  const where = { file: projectPath };
  const git = gitAt(projectPath, binary);
  let prefix: string;
  try {
    prefix = (await git.raw('rev-parse', '--show-prefix')).trim().replace(/\/$/, '');
  } catch (error) {
    const message = gitMessage(error);
    if (/ENOENT/.test(message)) {
      const mend = `Install git, ${IN_A_FOLDER}.`;
      return err(appError('workspace.failed', 'git is not installed, or not on PATH.', { mend }));
    }
    if (!/not a git repository/i.test(message)) {
      return err(appError('workspace.failed', `git cannot read ${projectPath}: ${message}`, { where }));
    }
    return err(
      appError(
        'project.not_a_repository',
        `${projectPath} is no git repository, so no worktree can be made of it.`,
        {
          where,
          mend: `Run 'git init && git add -A && git commit -m "Start"' there, ${IN_A_FOLDER}.`,
        },
      ),
    );
  }
  try {
    const head = (await git.raw('rev-parse', '--verify', 'HEAD^{commit}')).trim();
    return ok({ git, at: (path) => gitAt(path, binary), prefix, head });
  } catch {
    return err(
      appError(
        'workspace.failed',
        `The repository ${projectPath} has no commit yet, so no worktree can be made of it.`,
        {
          where,
          mend: `Run 'git add -A && git commit -m "Start"' there, ${IN_A_FOLDER}.`,
        },
      ),
    );
  }
}

import { fail, ok, type Result } from '@contract/result';
import { Git, gitMessage } from './command/git-command';
import type { GitRunner } from './command/run-git';

export interface Repository {
  readonly git: Git;
  /** The project's path inside its repository; empty at its root. */
  readonly prefix: string;
  readonly head: string;
}

const IN_A_FOLDER = "or set 'workspace: folder' in the workflow";

/** The project's repository, or why it cannot have worktrees. */
export async function inspect(projectPath: string, runner?: GitRunner): Promise<Result<Repository>> {
  const where = { file: projectPath };
  const git = new Git(projectPath, runner);
  let prefix: string;
  try {
    prefix = (await git.text('rev-parse', '--show-prefix')).replace(/\/$/, '');
  } catch (error) {
    const message = gitMessage(error);
    if (/ENOENT/.test(message)) {
      const mend = `Install git, ${IN_A_FOLDER}.`;
      return fail('workspace.failed', 'git is not installed, or not on PATH.', { mend });
    }
    if (!/not a git repository/i.test(message)) {
      return fail('workspace.failed', `git cannot read ${projectPath}: ${message}`, { where });
    }
    return fail(
      'project.not_a_repository',
      `${projectPath} is not a git repository, so no worktree can be made of it.`,
      { where, mend: `Run 'git init && git add -A && git commit -m "Start"' there, ${IN_A_FOLDER}.` },
    );
  }
  try {
    const head = await git.text('rev-parse', '--verify', 'HEAD^{commit}');
    return ok({ git, prefix, head });
  } catch {
    return fail(
      'workspace.failed',
      `The repository ${projectPath} has no commit yet, so Muster cannot create a worktree.`,
      { where, mend: `Run 'git add -A && git commit -m "Start"' there, ${IN_A_FOLDER}.` },
    );
  }
}

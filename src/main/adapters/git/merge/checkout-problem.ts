import { type AppError, appError } from '@contract/errors';
import { isRunBranch } from '../../../core/ports/workspaces/workspace-names';
import type { Git } from '../command/git-command';
import { operationIn } from '../snapshot/git-state';

/** Why nothing can be merged into a folder, in words that fit its cause; null if git may try. */
export async function checkoutProblem(git: Git): Promise<AppError | null> {
  if ((await git.maybe('rev-parse', '--is-inside-work-tree')) === 'false') return noCheckout(git);
  const gitDir = await git.maybe('rev-parse', '--absolute-git-dir');
  const open = gitDir === null ? null : await operationIn(gitDir);
  return open === null
    ? null
    : appError('conflict', `Nothing was merged: your checkout has an unfinished ${open.name}.`, {
        mend: `Finish or abort it first (${open.abort}), then ask for the merge again.`,
      });
}

/** A bare repository with worktrees beside it. */
async function noCheckout(git: Git): Promise<AppError> {
  const listed = (await git.maybe('worktree', 'list', '--porcelain')) ?? '';
  const found = listed.split('\n\n').flatMap((entry) => {
    const path = /^worktree (.+)$/m.exec(entry)?.[1];
    const branch = /^branch refs\/heads\/(.+)$/m.exec(entry)?.[1];
    return path === undefined || branch === undefined || isRunBranch(branch) ? [] : [{ path, branch }];
  });
  const worktrees = found.map(({ path, branch }) => `${branch} (${path})`).join(', ');
  const [first] = found;
  return appError(
    'conflict',
    `Nothing was merged: this folder has no checkout.${worktrees === '' ? '' : ` Worktrees: ${worktrees}.`}`,
    {
      mend:
        first === undefined
          ? 'Make a worktree of the repository, and merge the branch of the result there.'
          : `Merge the branch of the result in one of them: git -C '${first.path}' merge BRANCH`,
    },
  );
}

import { fail, ok, type Result } from '@contract/result';
import { SIGNING_MS } from '../../../limits/core';
import { type Git, GitError, gitMessage } from '../command/git-command';

interface Wanted {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly sign: 'as-configured' | 'never';
}

interface Made {
  readonly commit: string;
  readonly signed: boolean;
}

/** Makes a commit for the operator's history, signed if git is configured to sign commits. */
export async function commitFor(git: Git, wanted: Wanted): Promise<Result<Made>> {
  const { tree, parents, message, sign } = wanted;
  const args = [tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', message];
  if (sign === 'never' || !(await signsCommits(git)))
    return ok({ commit: await git.text('commit-tree', ...args), signed: false });
  const [name, email, key] = await Promise.all(
    ['user.name', 'user.email', 'user.signingKey'].map((one) => git.maybe('config', '--get', one)),
  );
  // A signature is that of the committer, and without a key git looks for one of theirs.
  const committer = {
    ...(name && { GIT_COMMITTER_NAME: name }),
    ...(email && { GIT_COMMITTER_EMAIL: email }),
  };
  const signing = `--gpg-sign${key || !email ? '' : `=${email}`}`;
  try {
    const made = await git.bytes(['commit-tree', signing, ...args], {
      env: committer,
      longestMs: SIGNING_MS,
    });
    return ok({ commit: made.toString('utf8').trim(), signed: true });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const why = gitMessage(error);
    return fail('workspace.failed', `The commit could not be signed, so nothing was merged: ${why}`, {
      mend: 'Unlock your signing key, for example with a signed commit of your own, and try again; or write sign: never into .muster/project.yaml.',
    });
  }
}

/** Muster's own setting for all of its commits comes last. */
async function signsCommits(git: Git): Promise<boolean> {
  const values = (await git.maybe('config', '--type=bool', '--get-all', 'commit.gpgSign')) ?? '';
  return values.split('\n').at(-2) === 'true';
}

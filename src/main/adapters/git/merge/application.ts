import { realpath } from 'node:fs/promises';
import type { AppliedChange } from '@contract/run/results/apply';
import type { Git } from '../command/git-command';
import type { MoveEntry } from '../moves/journal';

/** An application as a change of the checkout from one side to the other, with git at the root of its files. */
export async function entryOf(
  git: Git,
  { change, what }: { readonly change: AppliedChange; readonly what: string },
): Promise<{ readonly git: Git; readonly entry: MoveEntry }> {
  const shown = await git.text('rev-parse', '--show-toplevel', '--absolute-git-dir');
  const [top = '', gitDir = ''] = shown.split('\n');
  const { branch, before, after, tree } = change;
  const entry: MoveEntry = {
    version: 1,
    id: '',
    what,
    kind: change.how === 'files' ? 'files' : 'merge',
    top: await realpath(top),
    gitDir,
    index: null,
    from: { branch, commit: before, tree: await git.text('rev-parse', `${before}^{tree}`) },
    to: { branch, commit: after, tree },
    kept: [],
    // Locks are not looked for.
    startedAt: Number.POSITIVE_INFINITY,
  };
  return { git: git.at(top), entry };
}

const NO_BRANCH = ' (no branch)';

/** The checkout's branch for people. */
export const targetName = (branch: string | null, head: string): string =>
  branch?.replace(/^refs\/heads\//, '') ?? `${head.slice(0, 12)}${NO_BRANCH}`;

/** What a commit that Muster made for an application changed. */
export async function changeOf(git: Git, commit: string, target: string): Promise<AppliedChange> {
  const shown = await git.text('rev-parse', `${commit}^{tree}`, `${commit}^@`);
  const [tree = '', before = '', ...others] = shown.split('\n');
  const how = others.length > 0 ? 'keep' : 'squash';
  const branch = target.endsWith(NO_BRANCH) ? null : `refs/heads/${target}`;
  return { how, branch, before, after: commit, tree };
}

import { posix } from 'node:path';
import type { Git } from '@main/adapters/git/git-command';
import type { LoopPlace } from '../../contract/ports';
import { planText } from './files';

/** The branch that is checked out; null where none is. */
export const branchOf = (git: Git): Promise<string | null> =>
  git.maybe('symbolic-ref', '--quiet', '--short', 'HEAD');

/** What counts as the loop's: its branch where something else is checked out, else what is there. */
export interface Stand {
  /** Null where none is checked out. */
  readonly branch: string | null;
  /** The commit at the end of what counts. */
  readonly tip: string | null;
  /** What is checked out instead; undefined where that is the loop's branch. */
  readonly checkedOut?: string | null;
}

export async function standOf(git: Git, wanted: string | null): Promise<Stand> {
  const branch = await branchOf(git);
  const head = await git.object('HEAD^{commit}');
  if (wanted === null || wanted === branch) return { branch, tip: head };
  return { branch, tip: await git.object(`refs/heads/${wanted}^{commit}`), checkedOut: head };
}

/**
 * prd.json as the next attempt will find it on the loop's branch: what is not committed goes along, what was committed
 * elsewhere stays there.
 */
export async function planAtHome(
  git: Git,
  { cwd, folder }: LoopPlace,
  { tip }: Stand,
): Promise<string | null> {
  const file = posix.join(folder, 'prd.json');
  // One that git ignores goes along as well.
  const own = await git.text('status', '--porcelain', '--ignored', '--', file);
  if (own !== '' || tip === null) return planText({ cwd, folder });
  const prefix = await git.text('rev-parse', '--show-prefix');
  return git.maybe('show', `${tip}:${posix.join(prefix, file)}`);
}

import { posix } from 'node:path';
import type { Git } from '@main/adapters/git/command/git-command';
import type { LoopPlace } from '../../contract/ports';
import { planText } from './files';

/** The checked-out branch; null if none. */
export const branchOf = (git: Git): Promise<string | null> =>
  git.maybe('symbolic-ref', '--quiet', '--short', 'HEAD');

/** The loop's state: of its own branch if something else is checked out, else of the checkout. */
interface Stand {
  /** Null if none is checked out. */
  readonly branch: string | null;
  /** The tip of that branch. */
  readonly tip: string | null;
  /** What is checked out instead; undefined if it is the loop's branch. */
  readonly checkedOut?: string | null;
}

export async function standOf(git: Git, wanted: string | null): Promise<Stand> {
  const branch = await branchOf(git);
  const head = await git.object('HEAD^{commit}');
  if (wanted === null || wanted === branch) return { branch, tip: head };
  return { branch, tip: await git.object(`refs/heads/${wanted}^{commit}`), checkedOut: head };
}

/**
 * prd.json as the next attempt will find it on the loop's branch: uncommitted changes move along, commits on
 * another branch do not.
 */
export async function planAtHome(
  git: Git,
  { cwd, folder }: LoopPlace,
  { tip }: Stand,
): Promise<string | null> {
  const file = posix.join(folder, 'prd.json');
  // An ignored file moves along too.
  const own = await git.text('status', '--porcelain', '--ignored', '--', file);
  if (own !== '' || tip === null) return planText({ cwd, folder });
  const prefix = await git.text('rev-parse', '--show-prefix');
  return git.maybe('show', `${tip}:${posix.join(prefix, file)}`);
}

import type { Git } from '@main/adapters/git/command/git-command';
import type { LookedAfter } from '../../contract/ports';

/** Maximum commits to examine: each costs a git call. */
const MOST_COMMITS = 20;

interface Move {
  readonly full: string;
  readonly hash: string;
  readonly what: string;
}

/** Movements of this checkout's HEAD, latest first; null if git keeps no reflog. */
export async function movesOf(git: Git): Promise<readonly Move[] | null> {
  const rows = await git.maybe('reflog', 'show', '--format=%H%x00%h%x00%gs', 'HEAD', '--');
  if (rows === null) return null;
  return rows.split('\n').flatMap((row) => {
    const [full = '', hash = '', what = ''] = row.split('\0');
    return full === '' ? [] : [{ full, hash, what }];
  });
}

/**
 * Commits made here since HEAD's given number of moves that are missing from the loop's `tip` but in another
 * branch or the current checkout: made by a worker that switched branches. Commits in no branch were
 * replaced, for example by an amend.
 */
export async function commitsElsewhere(
  git: Git,
  before: number | undefined,
  { head: tip, checkedOut = null }: Pick<LookedAfter, 'head' | 'checkedOut'>,
): Promise<NonNullable<LookedAfter['elsewhere']>> {
  const moves = before === undefined ? null : await movesOf(git);
  if (moves === null || before === undefined) return [];
  const made = moves
    .slice(0, Math.max(0, moves.length - before))
    .filter(({ what }) => /^commit\b/.test(what));
  const found: { hash: string; branch: string }[] = [];
  for (const { full, hash } of made.slice(0, MOST_COMMITS)) {
    if (await isIn(git, full, tip)) continue;
    const named = [
      'for-each-ref',
      '--count=1',
      '--format=%(refname:short)',
      '--contains',
      full,
      'refs/heads',
    ];
    const branch = await git.text(...named);
    if (branch !== '') found.push({ hash, branch });
    else if (await isIn(git, full, checkedOut)) found.push({ hash, branch: 'no branch' });
  }
  return found;
}

const isIn = async (git: Git, commit: string, tip: string | null): Promise<boolean> =>
  tip !== null && (await git.maybe('merge-base', '--is-ancestor', commit, tip)) !== null;

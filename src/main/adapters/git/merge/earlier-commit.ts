import { type MergeToMake, markOf } from '../../../core/ports/workspaces/merges';
import { type Git, readable } from '../command/git-command';
import { resolve, tryMerge } from './merge-trees';

interface MergeCommit {
  readonly commit: string;
  readonly lines: readonly string[];
}

/**
 * The commit of this very merge, if a Muster that was killed already made it. The operator may have continued
 * from there, or be on another branch; the merge is not made again.
 */
export async function earlierCommit(git: Git, head: string, wanted: MergeToMake): Promise<string | null> {
  const { target, targetCommit } = wanted.rehearsed;
  const known = (name: string) => git.maybe('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  const [start, branch] = [await known(targetCommit), await known(`refs/heads/${target}`)];
  if (start === null) return null;
  const tips = [...new Set([head, branch ?? head])];
  if (tips.every((tip) => tip === start)) return null;
  // A substring search; lines are then compared as a whole.
  const grep = ['--fixed-strings', ...[subjectOf(wanted), markOf(wanted.id)].map((line) => `--grep=${line}`)];
  const args = ['log', '-z', '--format=%H%n%B', ...grep, ...tips, `^${start}`];
  for (const record of await git.records(args)) {
    const [commit = '', ...lines] = readable(record).split('\n');
    if (await isOf(git, { commit, lines }, wanted)) return commit;
  }
  return null;
}

export const subjectOf = ({ message }: MergeToMake): string => message.split('\n')[0] ?? '';

const anyMark = markOf('');

async function isOf(git: Git, { commit, lines }: MergeCommit, wanted: MergeToMake): Promise<boolean> {
  if (lines.some((line) => line.startsWith(anyMark))) return lines.includes(markOf(wanted.id));
  // From before merges had marks: other members may have the same message, so the result is compared as well.
  const words = wanted.message.split('\n').filter((line) => line !== '');
  return words.every((line) => lines.includes(line)) && (await isSameWork(git, commit, wanted));
}

/** Whether this merge, made on that commit's parent, gives the same result. */
async function isSameWork(git: Git, made: string, { commit, choices }: MergeToMake): Promise<boolean> {
  const shown = await git.maybe('rev-parse', `${made}^{tree}`, `${made}^1`);
  const [tree, before] = shown?.split('\n') ?? [];
  if (tree === undefined || before === undefined) return false;
  return (await resolve(git, await tryMerge(git, before, commit), choices)) === tree;
}

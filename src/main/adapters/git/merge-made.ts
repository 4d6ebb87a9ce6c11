import { type MergeToMake, markOf } from '../../core/ports/merges';
import { type Git, readable } from './git-command';
import { resolve, tryMerge } from './merge-trees';

interface MergeCommit {
  readonly commit: string;
  readonly lines: readonly string[];
}

/**
 * The commit of this very merge, where it was made since it was tried: by a Muster that was killed before it could say
 * so. The operator may have gone on from there, or to another branch; it is not made once more.
 */
export async function madeBefore(git: Git, head: string, wanted: MergeToMake): Promise<string | null> {
  const { target, targetCommit } = wanted.rehearsed;
  const known = (name: string) => git.maybe('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  const [start, branch] = [await known(targetCommit), await known(`refs/heads/${target}`)];
  if (start === null) return null;
  const tips = [...new Set([head, branch ?? head])];
  if (tips.every((tip) => tip === start)) return null;
  // Only a part of what is looked for: the lines are compared whole.
  const grep = ['--fixed-strings', ...[subjectOf(wanted), markOf(wanted.id)].map((line) => `--grep=${line}`)];
  const asked = ['log', '-z', '--format=%H%n%B', ...grep, ...tips, `^${start}`];
  for (const record of await git.records(asked)) {
    const [commit = '', ...lines] = readable(record).split('\n');
    if (await isOf(git, { commit, lines }, wanted)) return commit;
  }
  return null;
}

export const subjectOf = ({ message }: MergeToMake): string => message.split('\n')[0] ?? '';

const anyMark = markOf('');

async function isOf(git: Git, { commit, lines }: MergeCommit, wanted: MergeToMake): Promise<boolean> {
  if (lines.some((line) => line.startsWith(anyMark))) return lines.includes(markOf(wanted.id));
  // Of before merges were marked: other members may have the same words, so what was made is compared as well.
  const words = wanted.message.split('\n').filter((line) => line !== '');
  return words.every((line) => lines.includes(line)) && (await isSameWork(git, commit, wanted));
}

/** Whether this merge, made on what the commit was made on, gives the same. */
async function isSameWork(git: Git, made: string, { commit, choices }: MergeToMake): Promise<boolean> {
  const shown = await git.maybe('rev-parse', `${made}^{tree}`, `${made}^1`);
  const [tree, before] = shown?.split('\n') ?? [];
  if (tree === undefined || before === undefined) return false;
  return (await resolve(git, await tryMerge(git, before, commit), choices)) === tree;
}

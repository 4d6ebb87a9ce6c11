import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { MergeChoices, Merges, MergeWanted, Rehearsal } from '../../core/ports/merges';
import { bytesOf, Git, GitError, gitMessage, readable } from './git-command';
import { Queue } from './queue';
import type { GitRunner } from './run-git';

/** A file that both sides changed: its blob on each, by stage (1 base, 2 ours, 3 theirs). */
interface Conflict {
  readonly path: string;
  readonly stages: Readonly<Record<number, { readonly mode: string; readonly oid: string }>>;
}

interface Tried {
  readonly tree: string;
  readonly conflicts: readonly Conflict[];
}

/** So much of a side is shown; a larger one is decided as a whole. */
const MOST_SHOWN = 200_000;

const failed = (what: string, error: unknown) =>
  err(appError('workspace.failed', `${what}: ${gitMessage(error)}`));

/**
 * Merges by git's own merge machinery on trees alone (`merge-tree`), so that trying touches neither a work tree nor an
 * index; the checkout is then moved forward in one step, which git refuses where it would overwrite anything.
 */
export class GitMerges implements Merges {
  /** Two merges into one checkout, each made of its HEAD, would be in each other's way. */
  readonly #checkouts = new Queue();

  constructor(private readonly runner?: GitRunner) {}

  async rehearse({ projectPath, commit }: MergeWanted): Promise<Result<Rehearsal>> {
    const git = new Git(projectPath, this.runner);
    try {
      const targetCommit = await git.text('rev-parse', '--verify', 'HEAD^{commit}');
      const branch = await git.maybe('symbolic-ref', '--short', '-q', 'HEAD');
      const { tree, conflicts } = await tryMerge(git, targetCommit, commit);
      const changed = await git.records(['diff-tree', '-r', '-z', '--name-only', targetCommit, tree]);
      return ok({
        target: branch ?? `${targetCommit.slice(0, 12)} (no branch)`,
        targetCommit,
        files: changed.length,
        conflicts: await Promise.all(conflicts.map((one) => shown(git, one))),
      });
    } catch (error) {
      return failed('The merge could not be tried', error);
    }
  }

  merge(wanted: Parameters<Merges['merge']>[0]): Promise<Result<string | null>> {
    return this.#checkouts.add(wanted.projectPath, () => this.#merge(wanted));
  }

  async #merge(wanted: Parameters<Merges['merge']>[0]): Promise<Result<string | null>> {
    const git = new Git(wanted.projectPath, this.runner);
    try {
      const head = await git.text('rev-parse', '--verify', 'HEAD^{commit}');
      const earlier = await madeBefore(git, head, wanted);
      if (earlier !== null) return ok(earlier);
      const tried = await tryMerge(git, head, wanted.commit);
      const open = tried.conflicts.filter((one) => wanted.choices[readable(one.path)] === undefined);
      if (open.length > 0) return undecided(open, head !== wanted.expected);
      const tree = await resolve(git, tried, wanted.choices);
      if (tree === (await git.text('rev-parse', `${head}^{tree}`))) return ok(null);
      const made = await git.text('commit-tree', tree, '-p', head, '-m', wanted.message);
      return await moveForward(git, made);
    } catch (error) {
      return failed('The merge was not made, and nothing of your checkout was touched', error);
    }
  }
}

/**
 * The commit of this very merge, where it was made since it was tried: by a Muster that was killed before it could say
 * so. The operator may have gone on from there; it is not made once more.
 */
async function madeBefore(
  git: Git,
  head: string,
  { expected, message }: Parameters<Merges['merge']>[0],
): Promise<string | null> {
  if (expected === '' || expected === head) return null;
  const lines = message.split('\n').filter((line) => line !== '');
  const patterns = lines.map((line) => `--grep=${line}`);
  const found = ['--format=%H', '--fixed-strings', '--all-match', ...patterns, `${expected}..${head}`];
  return (await git.maybe('log', '-1', ...found)) || null;
}

function undecided(open: readonly Conflict[], moved: boolean): Result<never> {
  const names = open.map((one) => readable(one.path)).join(', ');
  const why = moved ? 'your checkout has moved on since the merge was tried, and now ' : '';
  return err(
    appError('conflict', `The merge was not made: ${why}these files conflict: ${names}.`, {
      mend: 'Ask for the merge again, and decide on each of them.',
    }),
  );
}

/** Git moves index and work tree in one step, or says what of the operator's stands in the way and does nothing. */
async function moveForward(git: Git, commit: string): Promise<Result<string>> {
  try {
    await git.text('merge', '--ff-only', '--no-autostash', '--quiet', commit);
    return ok(commit);
  } catch (error) {
    return err(
      appError('conflict', `The merge was not made, and nothing was touched. ${gitMessage(error)}`, {
        mend: 'Commit or put away your own changes of these files, then ask for the merge again.',
      }),
    );
  }
}

async function tryMerge(git: Git, ours: string, theirs: string): Promise<Tried> {
  const chunks: Buffer[] = [];
  try {
    await git.stream(['merge-tree', '--write-tree', '-z', '--no-messages', ours, theirs], (chunk) => {
      chunks.push(chunk);
      return true;
    });
  } catch (error) {
    // 1 says that there are conflicts; what was printed names them.
    if (!(error instanceof GitError) || error.code !== 1) throw error;
  }
  const [tree = '', ...entries] = Buffer.concat(chunks).toString('latin1').split('\0');
  const byPath = new Map<string, Record<number, { mode: string; oid: string }>>();
  for (const entry of entries) {
    const found = /^(\d+) ([0-9a-f]+) ([123])\t([\s\S]+)$/.exec(entry);
    if (found === null) continue;
    const [, mode = '', oid = '', stage = '', path = ''] = found;
    byPath.set(path, { ...byPath.get(path), [Number(stage)]: { mode, oid } });
  }
  return { tree, conflicts: [...byPath].map(([path, stages]) => ({ path, stages })) };
}

async function shown(git: Git, { path, stages }: Conflict): Promise<Rehearsal['conflicts'][number]> {
  const side = async (stage: number): Promise<string | null> => {
    const oid = stages[stage]?.oid;
    if (oid === undefined) return null;
    const bytes = await git.bytes(['cat-file', 'blob', oid]);
    if (bytes.includes(0)) return '(binary)';
    const text = bytes.toString('utf8');
    return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}\n… larger than can be shown`;
  };
  const [base, ours, theirs] = await Promise.all([side(1), side(2), side(3)]);
  return { path: readable(path), base, ours, theirs };
}

/** The merged tree with the operator's choices in the places of the conflicts, made in an index of its own. */
async function resolve(git: Git, { tree, conflicts }: Tried, choices: MergeChoices): Promise<string> {
  if (conflicts.length === 0) return tree;
  const folder = await mkdtemp(join(tmpdir(), 'muster-merge-'));
  try {
    const own = git.with({ GIT_INDEX_FILE: join(folder, 'index') });
    await own.text('read-tree', tree);
    for (const conflict of conflicts) {
      const choice = choices[readable(conflict.path)];
      const taken = choice === undefined ? null : await take(own, folder, { conflict, choice });
      const path = bytesOf(conflict.path);
      // A mode of 0 removes the file: the side that was chosen has deleted it.
      const line = taken === null ? `0 ${'0'.repeat(40)}\t` : `${taken.mode} ${taken.oid}\t`;
      await own.bytes(['update-index', '-z', '--index-info'], {
        input: Buffer.concat([Buffer.from(line), path, Buffer.from([0])]),
      });
    }
    return await own.text('write-tree');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Choice {
  readonly conflict: Conflict;
  readonly choice: MergeChoices[string];
}

async function take(
  git: Git,
  folder: string,
  { conflict: { stages }, choice }: Choice,
): Promise<{ mode: string; oid: string } | null> {
  const mode = stages[2]?.mode ?? stages[3]?.mode ?? '100644';
  const store = async (content: Buffer | string) => ({
    mode,
    oid: (await git.bytes(['hash-object', '-w', '--stdin'], { input: Buffer.from(content) }))
      .toString('utf8')
      .trim(),
  });
  switch (choice.take) {
    case 'ours':
      return stages[2] ?? null;
    case 'theirs':
      return stages[3] ?? null;
    case 'by_hand':
      return store(choice.text ?? '');
    case 'both': {
      const files = await Promise.all(
        [2, 1, 3].map(async (stage) => {
          const oid = stages[stage]?.oid;
          const path = join(folder, `side-${stage}`);
          await writeFile(path, oid === undefined ? '' : await git.bytes(['cat-file', 'blob', oid]));
          return path;
        }),
      );
      return store(await git.bytes(['merge-file', '-p', '--union', ...files]));
    }
  }
}

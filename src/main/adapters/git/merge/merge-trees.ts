import { isUtf8 } from 'node:buffer';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MergeChoices, Rehearsal } from '@areas/changes/contract/merge';
import { ownValue } from '@contract/own';
import { bytesOf, type Git, GitError, readable } from '../command/git-command';

/** A file changed by both sides: its blob on each, by stage (1 base, 2 ours, 3 theirs). */
export interface Conflict {
  readonly path: string;
  readonly stages: Readonly<Record<number, { readonly mode: string; readonly oid: string }>>;
  /** The entries of the merged tree for it. Git invents names where both sides cannot have the same one. */
  readonly pieces: readonly string[];
  /** The side on which the path is a folder. */
  readonly folder: 'ours' | 'theirs' | null;
}

/** A merge of trees only, with its conflicts. */
export interface Tried {
  readonly tree: string;
  readonly conflicts: readonly Conflict[];
}

/** Maximum characters of a side that are shown; a larger file is resolved as a whole. */
const MOST_SHOWN = 200_000;

/** Merges two commits without touching a work tree or index. */
export async function tryMerge(git: Git, ours: string, theirs: string): Promise<Tried> {
  const chunks: Buffer[] = [];
  try {
    await git.stream(['merge-tree', '--write-tree', '-z', '--no-messages', ours, theirs], (chunk) => {
      chunks.push(chunk);
      return true;
    });
  } catch (error) {
    // Exit code 1 means conflicts, which the output lists.
    if (!(error instanceof GitError) || error.code !== 1) throw error;
  }
  const [tree = '', ...entries] = Buffer.concat(chunks).toString('latin1').split('\0');
  const byPath = new Map<
    string,
    { stages: Record<number, { mode: string; oid: string }>; pieces: Set<string> }
  >();
  for (const entry of entries) {
    const found = /^(\d+) ([0-9a-f]+) ([123])\t([\s\S]+)$/.exec(entry);
    if (found === null) continue;
    const [, mode = '', oid = '', stage = '', piece = ''] = found;
    const path = ownName(piece, [ours, theirs]);
    const conflict = byPath.get(path) ?? { stages: {}, pieces: new Set<string>() };
    conflict.stages[Number(stage)] = { mode, oid };
    conflict.pieces.add(piece);
    byPath.set(path, conflict);
  }
  const conflicts = await Promise.all(
    [...byPath].map(async ([path, { stages, pieces }]): Promise<Conflict> => {
      const folder = pieces.has(path) ? null : await folderSide(git, tree, { path, stages });
      return { path, stages, pieces: [...pieces], folder };
    }),
  );
  return { tree, conflicts };
}

/** A path without the ending that git invents: `~` and the name of a side, as it was given to git. */
function ownName(piece: string, sides: readonly string[]): string {
  for (const side of sides) {
    const at = piece.lastIndexOf(`~${side.replaceAll('/', '_')}`);
    if (at > 0 && /^(?:_\d+)?$/.test(piece.slice(at + 1 + side.length))) return piece.slice(0, at);
  }
  return piece;
}

async function folderSide(
  git: Git,
  tree: string,
  { path, stages }: Pick<Conflict, 'path' | 'stages'>,
): Promise<Conflict['folder']> {
  if ((await filesBelow(git, tree, path)).length === 0) return null;
  if (stages[3] === undefined) return 'theirs';
  return stages[2] === undefined ? 'ours' : null;
}

const filesBelow = (git: Git, tree: string, path: string): Promise<string[]> =>
  git.records(['ls-tree', '-r', '-z', '--name-only', tree, `${readable(path)}/`]);

type Side = { readonly text: string; readonly shown: 'whole' | 'cut' | 'binary' };

/** A side as text. Truncated or binary content must not be written back as the file. */
function sideOf(bytes: Buffer): Side {
  if (bytes.includes(0)) return { text: '(binary)', shown: 'binary' };
  const text = bytes.toString('utf8');
  if (text.length > MOST_SHOWN)
    return { text: `${text.slice(0, MOST_SHOWN)}\n… larger than can be shown`, shown: 'cut' };
  return { text, shown: isUtf8(bytes) ? 'whole' : 'cut' };
}

/** A conflict as shown to the operator, under the operator's own name. */
export async function shownConflict(
  git: Git,
  tree: string,
  conflict: Conflict,
): Promise<Rehearsal['conflicts'][number]> {
  const { path, stages, folder } = conflict;
  const side = async (stage: number): Promise<Side | null> => {
    if (folder === SIDES[stage]) {
      const files = (await filesBelow(git, tree, path)).length;
      return { text: `(folder with ${files} ${files === 1 ? 'file' : 'files'})`, shown: 'binary' };
    }
    const found = stages[stage];
    if (found === undefined) return null;
    // A submodule's commit is in the submodule's repository.
    if (found.mode === SUBMODULE) return { text: `(submodule at ${found.oid})`, shown: 'binary' };
    const bytes = await git.bytes(['cat-file', 'blob', found.oid]);
    return found.mode === LINK
      ? { text: `(link to ${bytes.toString('utf8')})`, shown: 'binary' }
      : sideOf(bytes);
  };
  const [base, ours, theirs] = await Promise.all([side(1), side(2), side(3)]);
  const how = [base, ours, theirs].flatMap((one) => one?.shown ?? []);
  const shown =
    !isText(conflict) || how.includes('binary') ? 'binary' : how.includes('cut') ? 'cut' : 'whole';
  const text = (one: Side | null) => one?.text ?? null;
  return { path: readable(path), base: text(base), ours: text(ours), theirs: text(theirs), shown };
}

const LINK = '120000';
const SUBMODULE = '160000';
const SIDES: Readonly<Record<number, Conflict['folder']>> = { 2: 'ours', 3: 'theirs' };

/** Whether both sides have files, so that their lines can be joined or written by hand. */
const isText = ({ stages, folder }: Conflict): boolean =>
  folder === null && Object.values(stages).every(({ mode }) => mode !== LINK && mode !== SUBMODULE);

/** Whether a choice can be carried out: lines cannot be joined with a link or a folder. */
export const canTake = (conflict: Conflict, { take }: MergeChoices[string]): boolean =>
  take === 'ours' || take === 'theirs' || isText(conflict);

/** The merged tree with the operator's choices for the conflicts, built in a separate index. */
export async function resolve(git: Git, { tree, conflicts }: Tried, choices: MergeChoices): Promise<string> {
  if (conflicts.length === 0) return tree;
  const folder = await mkdtemp(join(tmpdir(), 'muster-merge-'));
  try {
    const index = git.with({ GIT_INDEX_FILE: join(folder, 'index') });
    await index.text('read-tree', tree);
    for (const conflict of conflicts) {
      const choice = ownValue(choices, readable(conflict.path));
      const staysFolder = choice !== undefined && choice.take === conflict.folder;
      const below = conflict.folder === null || staysFolder ? [] : await filesBelow(git, tree, conflict.path);
      const taken =
        choice === undefined || staysFolder ? null : await take(index, folder, { conflict, choice });
      // Mode 0 removes an entry: git's invented names, and a file that the chosen side has deleted.
      const gone = [...conflict.pieces, ...below].map((path) => `0 ${'0'.repeat(tree.length)}\t${path}\0`);
      const added = taken === null ? [] : [`${taken.mode} ${taken.oid}\t${conflict.path}\0`];
      await index.bytes(['update-index', '-z', '--index-info'], {
        input: bytesOf([...gone, ...added].join('')),
      });
    }
    return await index.text('write-tree');
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

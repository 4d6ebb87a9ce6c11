import type { FileChange } from '@areas/changes/contract/changes';
import { ownValue } from '@contract/own';
import { type Git, readable } from '../command/git-command';

/** One changed file with git's information on both sides. Paths are `latin1` strings of their bytes. */
export interface RawChange {
  readonly change: FileChange;
  readonly path: string;
  readonly oldPath: string | null;
  readonly oldMode: string;
  readonly oldBlob: string;
  readonly newMode: string;
  readonly newBlob: string;
}

export interface Between {
  readonly from: string;
  readonly to: string;
  /** The relevant part of the tree; empty: all of it. */
  readonly scope: string;
}

/** Flags that make the output independent of the operator's configuration. */
export const DIFF = ['diff-tree', '-r', '--no-color', '--no-ext-diff', '--no-textconv'];

/**
 * Renames are detected among at most this many pairs of files; beyond, they appear as deletions and
 * additions.
 */
export const MOVES = ['-M', '-l1000'];

export const sides = ({ from, to, scope }: Between): string[] => [
  from,
  to,
  ...(scope === '' ? [] : ['--', scope]),
];

const STATUS: Readonly<Record<string, FileChange['status']>> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type_changed',
};

/** The differing files, in git's order. */
export async function changedFiles(git: Git, between: Between, moves = true): Promise<RawChange[]> {
  const records = await git.records([
    ...DIFF,
    ...(moves ? MOVES : ['--no-renames']),
    ...['-z', '--raw', '--numstat'],
    ...sides(between),
  ]);
  return readList(records);
}

/** First a record with its paths for each file, then the line counts for each. */
function readList(records: readonly string[]): RawChange[] {
  const files: Omit<RawChange, 'change'>[] = [];
  const letters: string[] = [];
  let at = 0;
  for (let head = records[at]; head?.startsWith(':'); head = records[at]) {
    const [oldMode = '', newMode = '', oldBlob = '', newBlob = '', letter = ''] = head.slice(1).split(' ');
    const moved = /^[RC]/.test(letter);
    const first = records[at + 1] ?? '';
    const path = moved ? (records[at + 2] ?? '') : first;
    files.push({ path, oldPath: moved ? first : null, oldMode, oldBlob, newMode, newBlob });
    letters.push(letter[0] ?? 'M');
    at += moved ? 3 : 2;
  }
  const counts = readCounts(records.slice(at));
  return files.map((file, index) => ({
    ...file,
    change: {
      path: readable(file.path),
      oldPath: file.oldPath === null ? null : readable(file.oldPath),
      status: ownValue(STATUS, letters[index] ?? 'M') ?? 'modified',
      ...(counts[index] ?? { added: null, removed: null }),
    },
  }));
}

function readCounts(records: readonly string[]): Pick<FileChange, 'added' | 'removed'>[] {
  const counts: Pick<FileChange, 'added' | 'removed'>[] = [];
  const count = (text = '-') => (text === '-' ? null : Number(text));
  for (let at = 0; at < records.length; ) {
    const [added, removed, path] = (records[at] ?? '').split('\t');
    counts.push({ added: count(added), removed: count(removed) });
    // A renamed file has its two names in separate records.
    at += path === '' ? 3 : 1;
  }
  return counts;
}

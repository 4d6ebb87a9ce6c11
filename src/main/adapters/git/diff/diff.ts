import { createHash } from 'node:crypto';
import type { FileChange, TakenDiff } from '@areas/changes/contract/changes';
import type { DiffFile } from '@areas/changes/contract/procedures';
import { LISTED_CHANGES_BYTES, ONE_DIFF_BYTES } from '../../../limits/core-sizes';
import { bytesOf, type Git, readable } from '../command/git-command';
import { DiffText } from './diff-text';
import { type Between, DIFF, MOVES, type RawChange, sides } from './file-list';
import { type PatchLimits, PatchReader, type RawFile, shown } from './patch';

/** More files than this cannot be listed in an event or in the window. */
const MOST_FILES = 50_000;

/** Maximum that is drawn at once in the window; larger files open on demand. */
const LISTED: PatchLimits = { linesPerFile: 2_000, bytesPerFile: LISTED_CHANGES_BYTES, lines: 20_000 };

/** Maximum of one file that was opened on demand. */
export const OPENED: PatchLimits = { linesPerFile: 400_000, bytesPerFile: ONE_DIFF_BYTES, lines: 400_000 };

const PATCH = [
  '-p',
  '-U3',
  '--inter-hunk-context=0',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--submodule=short',
];

/** Thrown where a list of files would be incomplete. */
class TooManyFilesError extends Error {
  constructor(count: number) {
    super(`${count} files changed, more than the ${MOST_FILES} that Muster can list. Check .gitignore.`);
  }
}

/** All files, never a part of them. */
export function listed(files: readonly RawChange[]): FileChange[] {
  if (files.length > MOST_FILES) throw new TooManyFilesError(files.length);
  return files.map(({ change }) => change);
}

/** Writes the whole diff to the file, and returns what fits into an event. */
export async function takeDiff(
  git: Git,
  { between, all }: { readonly between: Between; readonly all: readonly RawChange[] },
  file: string | null,
): Promise<TakenDiff> {
  const text = await DiffText.open(file);
  try {
    await git.stream([...DIFF, ...MOVES, ...PATCH, ...sides(between)], (chunk) => text.take(chunk));
  } finally {
    await text.close();
  }
  const { from, to } = between;
  return { from, to, ...text.taken(piecesOf(all).map(({ change }) => change)) };
}

/** A file replaced by a link gives two entries in a patch: a deletion and an addition. */
const piecesOf = (all: readonly RawChange[]): readonly RawChange[] =>
  all.flatMap((raw) => (raw.change.status === 'type_changed' ? [raw, raw] : [raw]));

interface FileHunks {
  readonly raw: RawChange;
  readonly patch: RawFile;
}

/** The hunks of these files (which are all that differ), or of one of them. */
export async function readHunks(
  { git, between }: { readonly git: Git; readonly between: Between },
  all: readonly RawChange[],
  { one = null, limits = LISTED }: { readonly one?: RawChange | null; readonly limits?: PatchLimits } = {},
): Promise<readonly FileHunks[]> {
  const names = one === null ? [] : [one.path, ...(one.oldPath === null ? [] : [one.oldPath])];
  // A file name that is not valid text cannot be an argument of git: then all files are read.
  const narrow = names.length > 0 && names.every((name) => Buffer.from(readable(name)).equals(bytesOf(name)));
  const read = narrow && one !== null ? [one] : all;
  const pieces = piecesOf(read);
  const first = new Map(pieces.map((raw, index) => [raw, index] as const).reverse());
  const reader = new PatchReader(narrow ? OPENED : limits);
  const which = narrow ? [between.from, between.to, '--', ...names.map(readable)] : sides(between);
  await git.stream([...DIFF, ...MOVES, ...PATCH, ...which], (chunk) => reader.take(chunk));
  const patches = reader.files((index) => pieces[index]?.path ?? '');
  const unread: RawFile = { hunks: [], lines: 0, binary: false, large: true };
  const wanted = one === null ? read : [one];
  return wanted.map((raw) => ({ raw, patch: patches[first.get(raw) ?? -1] ?? unread }));
}

export function fileView({ raw, patch }: FileHunks): DiffFile {
  const typed = raw.change.status === 'type_changed';
  const binary = patch.binary || raw.change.added === null;
  return {
    ...raw.change,
    hunks: binary || typed ? [] : patch.hunks.map(shown),
    leftOut: binary ? 'binary' : patch.large ? 'large' : null,
    content: contentId(raw),
  };
}

/** The same file with the same two sides has the same name in every diff. */
function contentId({ path, oldMode, oldBlob, newMode, newBlob }: RawChange): string {
  const sides = [path, oldMode, oldBlob, newMode, newBlob].join('\0');
  return createHash('sha256').update(sides, 'latin1').digest('hex').slice(0, 20);
}

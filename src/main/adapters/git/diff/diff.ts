import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import type { TakenDiff } from '@contract/workspace/changes';
import type { DiffFile } from '@contract/workspace/procedures';
import { DIFFED_FILE_BYTES } from '../../../limits/core-sizes';
import { bytesOf, type Git, readable } from '../command/git-command';
import { type Between, DIFF, MOVES, type RawChange, sides } from './file-list';
import { type PatchLimits, PatchReader, type RawFile, shown } from './patch';

/** Maximum bytes of a diff in an event or prompt; the whole is in its file. */
const TEXT_BYTES = 200 * 1024;
export const MOST_FILES = 2_000;

/** Maximum for display in the window. */
const LIMITS: PatchLimits = { linesPerFile: 2_000, bytesPerFile: DIFFED_FILE_BYTES, lines: 20_000 };

const PATCH = [
  '-p',
  '-U3',
  '--inter-hunk-context=0',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--submodule=short',
];

/** Writes the whole diff to the file and returns its beginning. */
export async function takeDiff(git: Git, between: Between, file: string | null): Promise<TakenDiff> {
  const beginning: Buffer[] = [];
  let bytes = 0;
  if (file !== null) await mkdir(dirname(file), { recursive: true });
  const out = file === null ? null : createWriteStream(file);
  const written = out === null ? Promise.resolve() : finished(out);
  // Awaited below; a disk that is full earlier must not cause an unhandled rejection.
  written.catch(() => {});
  try {
    await git.stream([...DIFF, ...MOVES, ...PATCH, ...sides(between)], (chunk) => {
      if (bytes < TEXT_BYTES) beginning.push(chunk);
      bytes += chunk.length;
      return out === null || writeTo(out, chunk);
    });
  } finally {
    out?.end();
    await written;
  }
  const { from, to } = between;
  const truncated = bytes > TEXT_BYTES;
  const all = Buffer.concat(beginning);
  const text = truncated ? wholeLines(all, TEXT_BYTES) : all.toString('utf8');
  return { from, to, text, truncated, bytes, path: file };
}

/** True if more can be written; false if writing failed. */
function writeTo(out: WriteStream, chunk: Buffer): boolean | Promise<boolean> {
  if (out.destroyed) return false;
  if (out.write(chunk)) return true;
  return new Promise((resolve) => {
    const done = (): void => {
      out.off('drain', done).off('close', done);
      resolve(!out.destroyed);
    };
    out.once('drain', done).once('close', done);
  });
}

function wholeLines(bytes: Buffer, limit: number): string {
  const end = bytes.lastIndexOf(10, limit - 1);
  return bytes.subarray(0, end < 0 ? limit : end + 1).toString('utf8');
}

export interface FileHunks {
  readonly raw: RawChange;
  readonly patch: RawFile;
}

/** The hunks of these files (which are all that differ), or of one of them. */
export async function readHunks(
  { git, between }: { readonly git: Git; readonly between: Between },
  all: readonly RawChange[],
  one: RawChange | null = null,
): Promise<readonly FileHunks[]> {
  const names = one === null ? [] : [one.path, ...(one.oldPath === null ? [] : [one.oldPath])];
  // A file name that is not valid text cannot be an argument of git: then all files are read.
  const narrow = names.length > 0 && names.every((name) => Buffer.from(readable(name)).equals(bytesOf(name)));
  const read = narrow && one !== null ? [one] : all;
  // A file replaced by a link gives two entries in a patch: a deletion and an addition.
  const pieces = read.flatMap((raw) => (raw.change.status === 'type_changed' ? [raw, raw] : [raw]));
  const first = new Map(pieces.map((raw, index) => [raw, index] as const).reverse());
  const reader = new PatchReader(LIMITS);
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
  };
}

import { hunkLines } from '@areas/changes/contract/hunk-lines';
import type { ChangeMatch, DiffHunk, FileSide } from '@areas/changes/contract/procedures';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { ChangedFile, ChangeSearched, FileWanted } from '../../../core/ports/workspaces/changed-content';
import { SHOWN_IMAGE_BYTES, UNFOLDED_FILE_BYTES } from '../../../limits/core-sizes';
import type { Git } from '../command/git-command';
import { OPENED, readHunks } from './diff';
import { type Between, changedFiles } from './file-list';
import { imageType } from './image-type';
import { shown } from './patch';

interface Range {
  readonly git: Git;
  readonly between: Between;
}

/** More matches are counted, but not listed: no reader goes through them. */
const MOST_MATCHES = 2_000;

/** Both sides of a changed file, as git holds them. */
export async function readChangedFile(
  { git, between }: Range,
  { path, as }: FileWanted,
): Promise<Result<ChangedFile>> {
  const all = await changedFiles(git, between);
  const file = all.find(({ change }) => change.path === path);
  if (file === undefined) return err(appError('not_found', `${path} is not in these changes.`));
  const side = (mode: string, blob: string) => readSide(git, { mode, blob, path, as });
  const fresh = await side(file.newMode, file.newBlob);
  // The lines around a change are the same on both sides.
  const old = as === 'text' && fresh !== null ? null : await side(file.oldMode, file.oldBlob);
  return ok({ old, fresh });
}

interface SideWanted extends FileWanted {
  readonly mode: string;
  readonly blob: string;
}

/** Null if the file does not exist on this side, or is no file there. */
async function readSide(git: Git, { mode, blob, path, as }: SideWanted): Promise<FileSide | null> {
  if (!/^1[02]0/.test(mode)) return null;
  const bytes = Number(await git.text('cat-file', '-s', blob));
  const none = { bytes, text: null, image: null };
  if (bytes > (as === 'image' ? SHOWN_IMAGE_BYTES : UNFOLDED_FILE_BYTES))
    return { ...none, leftOut: 'large' };
  const content = await git.bytes(['cat-file', 'blob', blob]);
  if (as === 'text')
    return content.subarray(0, 8_000).includes(0)
      ? { ...none, leftOut: 'binary' }
      : { ...none, text: content.toString('utf8'), leftOut: null };
  const type = imageType(path, content);
  return type === null
    ? { ...none, leftOut: 'binary' }
    : { ...none, image: { type, data: content.toString('base64') }, leftOut: null };
}

/** Searches all files, also those whose diffs are too large to be listed; `isLeftOut`: not these. */
export async function searchChange(
  range: Range,
  text: string,
  isLeftOut: (path: string) => boolean = () => false,
): Promise<ChangeSearched> {
  const all = await changedFiles(range.git, range.between);
  const read = await readHunks(range, all, { limits: OPENED });
  const files = read.filter(({ raw }) => !isLeftOut(raw.change.path));
  const wanted = text.toLowerCase();
  const matches: ChangeMatch[] = [];
  let total = 0;
  for (const { raw, patch } of files)
    for (const hunk of patch.hunks)
      for (const match of matchesIn(raw.change.path, shown(hunk), wanted)) {
        total += 1;
        if (matches.length < MOST_MATCHES) matches.push(match);
      }
  const unread = files.filter(({ patch }) => patch.large).map(({ raw }) => raw.change.path);
  return { matches, total, files: unread };
}

function matchesIn(path: string, hunk: DiffHunk, wanted: string): ChangeMatch[] {
  if (!hunk.lines.some((line) => line.toLowerCase().includes(wanted, 1))) return [];
  return hunkLines(hunk).flatMap(({ kind, old, fresh, text }): ChangeMatch[] => {
    if (kind === 'note' || !text.toLowerCase().includes(wanted)) return [];
    return [{ path, kind, line: fresh ?? old ?? 0, hunk: hunk.id }];
  });
}

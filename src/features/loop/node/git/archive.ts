import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Git } from '@main/adapters/git/command/git-command';
import { readGuarded } from '@main/guarded-files/read';
import { ARCHIVED_FILE_BYTES } from '../../contract/limits';
import type { LoopPlace } from '../../contract/ports';
import { planText, progressHead } from './files';

const LAST = '.last-branch';

const two = (value: number): string => String(value).padStart(2, '0');
const stamp = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}-${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;

async function readMaybe(path: string): Promise<string | null> {
  const read = await readGuarded({ root: dirname(path), path, most: ARCHIVED_FILE_BYTES });
  return read !== null && 'bytes' in read ? read.bytes.toString('utf8') : null;
}

interface PlanFolder {
  readonly git: Git;
  readonly place: LoopPlace;
  /** The folder within the repository, with a trailing slash; empty at its root. */
  readonly prefix: string;
}

/**
 * If the plan's branch has changed, archives the previous plan in `archive/` with its time, and restarts
 * progress.txt. prd.json already is the new plan, so the old one is taken from its own branch, where it was
 * committed. Returns the archive's path relative to the folder; null if nothing was archived.
 */
export async function archiveBefore(
  { git, place, prefix }: PlanFolder,
  branch: string | null,
  now: Date,
): Promise<string | null> {
  if (branch === null) return null;
  const folder = join(place.cwd, place.folder);
  const last = (await readMaybe(join(folder, LAST)))?.trim() ?? '';
  if (last === branch) return null;
  let archived: string | null = null;
  if (last !== '') {
    const name = last.replace(/^ralph\//, '').replace(/[^A-Za-z0-9._-]+/g, '-');
    archived = `archive/${stamp(now)}-${name}`;
    const then = (file: string) => git.maybe('show', `refs/heads/${last}:${prefix}${file}`);
    const plan = (await then('prd.json')) ?? (await planText(place));
    const progress = (await readMaybe(join(folder, 'progress.txt'))) ?? (await then('progress.txt'));
    await mkdir(join(folder, archived), { recursive: true });
    if (plan !== null) await writeFile(join(folder, archived, 'prd.json'), plan);
    if (progress !== null) await writeFile(join(folder, archived, 'progress.txt'), progress);
    await writeFile(join(folder, 'progress.txt'), progressHead(now));
  }
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, LAST), `${branch}\n`);
  return archived;
}

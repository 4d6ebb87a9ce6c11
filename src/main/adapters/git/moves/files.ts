import { lstat, open, rmdir } from 'node:fs/promises';
import { bytesOf, type Git } from '../command/git-command';
import type { MoveEntry } from './journal';

/** One side of a changed file; null: absent. */
export interface Side {
  readonly mode: string;
  readonly oid: string;
}

export interface ChangedFile {
  /** `latin1`, relative to the root of the work tree. */
  readonly path: string;
  readonly from: Side | null;
  readonly to: Side | null;
}

export const SUBMODULE = '160000';
export const LINK = '120000';

/** All files that differ between two trees. */
export async function changedBetween(git: Git, from: string, to: string): Promise<ChangedFile[]> {
  const records = await git.records(['diff-tree', '-r', '-z', '--raw', '--no-renames', from, to]);
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [oldMode = '', newMode = '', oldOid = '', newOid = ''] = (records[at] ?? '').slice(1).split(' ');
    const side = (mode: string, oid: string): Side | null => (mode === '000000' ? null : { mode, oid });
    files.push({ path: records[at + 1] ?? '', from: side(oldMode, oldOid), to: side(newMode, newOid) });
  }
  return files;
}

/** How the operator's index differs from a tree, by path. */
export async function stagedAgainst(git: Git, tree: string): Promise<ReadonlyMap<string, Side | null>> {
  const records = await git.records(['diff-index', '--cached', '-z', '--raw', '--no-renames', tree]);
  const staged = new Map<string, Side | null>();
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [, mode = '', , oid = ''] = (records[at] ?? '').slice(1).split(' ');
    staged.set(records[at + 1] ?? '', mode === '000000' ? null : { mode, oid });
  }
  return staged;
}

export const sameSide = (one: Side | null, other: Side | null): boolean =>
  one?.mode === other?.mode && one?.oid === other?.oid;

/** The changed files that git must write, without those that the operator had already staged. */
export async function touchedFiles(git: Git, { from, to, kept }: MoveEntry): Promise<ChangedFile[]> {
  const remaining = new Set(kept);
  return (await changedBetween(git, from.tree, to.tree)).filter(({ path }) => !remaining.has(path));
}

export const fileAt = (top: string, path: string): Buffer =>
  bytesOf(`${Buffer.from(`${top}/`).toString('latin1')}${path}`);

/** A file's metadata: differs if the file was replaced or written since. */
export interface Look {
  readonly kind: 'file' | 'link' | 'folder' | 'special';
  readonly executable: boolean;
  readonly size: number;
  readonly stamp: string;
}

/** Null if there is nothing, or a parent is not a folder. */
export async function lookAt(top: string, path: string): Promise<Look | null> {
  const parts = path.split('/');
  for (let end = 1; end < parts.length; end += 1) {
    const way = await lstat(fileAt(top, parts.slice(0, end).join('/'))).catch(() => null);
    if (way === null || !way.isDirectory()) return null;
  }
  const facts = await lstat(fileAt(top, path), { bigint: true }).catch(() => null);
  if (facts === null) return null;
  const kind = facts.isFile()
    ? 'file'
    : facts.isSymbolicLink()
      ? 'link'
      : facts.isDirectory()
        ? 'folder'
        : 'special';
  return {
    kind,
    executable: (facts.mode & 0o100n) !== 0n,
    size: Number(facts.size),
    stamp: [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.mode].join(),
  };
}

/** Removes folders that became empty, as git does. */
export async function removeEmptyFolders(top: string, path: string): Promise<void> {
  const parts = path.split('/');
  for (let end = parts.length - 1; end > 0; end -= 1) {
    const gone = await rmdir(fileAt(top, parts.slice(0, end).join('/'))).then(
      () => true,
      () => false,
    );
    if (!gone) return;
  }
}

/** Beyond this number the system syncs by itself within seconds. */
const MOST_SYNCED = 5_000;

/** Ensures that a power failure does not undo what git has written. */
export async function syncFiles(top: string, paths: readonly string[]): Promise<void> {
  for (const path of paths.slice(0, MOST_SYNCED)) {
    const look = await lookAt(top, path);
    if (look?.kind !== 'file') continue;
    const file = await open(fileAt(top, path), 'r').catch(() => null);
    if (file === null) continue;
    await file.sync().catch(() => {});
    await file.close();
  }
}

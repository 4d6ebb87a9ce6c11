import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BackupRow } from '@areas/backups/contract/procedures';
import { APPLICATION_ID } from '../migrations/migrate';

/** The database inside a backup with artifacts, and their folder. */
const DATABASE = 'muster.db';
export const ARTIFACTS = 'artifacts';

const AUTOMATIC = 'auto-';

export const backupsFolder = (path: string): string => `${path}.backups`;
export const databaseOf = (folder: string): string => join(folder, DATABASE);

/** The database file of a backup, which is a file or a folder. */
export const databaseIn = (backup: string): string =>
  statSync(backup, { throwIfNoEntry: false })?.isDirectory() === true ? databaseOf(backup) : backup;

export interface Header {
  readonly version: number;
  readonly application: number;
}

/**
 * The first page as in the file, read without SQLite, which would create -wal and -shm. Only valid if no -wal
 * contains a newer first page.
 */
export function headerOf(path: string): Header | null {
  const bytes = Buffer.alloc(100);
  const descriptor = openSync(path, 'r');
  try {
    const read = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (read < bytes.length || bytes.toString('latin1', 0, 16) !== 'SQLite format 3\0') return null;
    return { version: bytes.readUInt32BE(60), application: bytes.readUInt32BE(68) };
  } finally {
    closeSync(descriptor);
  }
}

function versionIn(file: string): number | null {
  try {
    const header = headerOf(file);
    return header?.application === APPLICATION_ID ? header.version : null;
  } catch {
    return null;
  }
}

function bytesBelow(path: string): number {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return 0;
  if (!facts.isDirectory()) return facts.size;
  return namesIn(path).reduce((bytes, name) => bytes + bytesBelow(join(path, name)), 0);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Null if it was removed meanwhile. */
export function backupRow(path: string, kind: BackupRow['kind']): BackupRow | null {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return null;
  return {
    path,
    kind,
    at: Math.trunc(facts.mtimeMs),
    bytes: bytesBelow(path),
    version: versionIn(databaseIn(path)),
    artifacts: facts.isDirectory(),
  };
}

export const kindOf = (name: string): BackupRow['kind'] =>
  name.startsWith(AUTOMATIC) ? 'automatic' : 'manual';

/** Removes what killed backups left in the folder. */
export function dropUnfinished(path: string): void {
  const folder = backupsFolder(path);
  for (const name of namesIn(folder))
    if (name.endsWith('.part')) rmSync(join(folder, name), { recursive: true, force: true });
}

/** The backups of a database, newest first. */
export function listBackups(path: string): BackupRow[] {
  const folder = backupsFolder(path);
  const made = namesIn(folder)
    .filter((name) => /\.(db|backup)$/.test(name))
    .map((name) => backupRow(join(folder, name), kindOf(name)));
  const migrated = namesIn(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.v`) && name.endsWith('.bak'))
    .map((name) => backupRow(join(dirname(path), name), 'migration'));
  return [...made, ...migrated]
    .filter((row): row is BackupRow => row !== null)
    .sort((one, other) => other.at - one.at);
}

/** The newest backup that a Muster knowing schema versions up to `latest` can use. */
export const fittingBackup = (path: string, latest: number): BackupRow | null =>
  listBackups(path).find(({ version }) => version !== null && version <= latest) ?? null;

/** What to do about a database or backup of a newer Muster. */
export function newerMend(path: string, latest: number): string {
  const fitting = fittingBackup(path, latest);
  return fitting === null
    ? 'Start the newer Muster that wrote it, or name another database.'
    : `Start the newer Muster that wrote it, or restore the backup that fits this one: muster restore "${fitting.path}"`;
}

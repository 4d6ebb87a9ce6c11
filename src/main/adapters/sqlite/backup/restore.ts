import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { messageOf } from '@contract/error-message';
import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { connect, connectReadOnly } from '../connection';
import { isCorruption, isSqliteError } from '../faults';
import { MIGRATIONS } from '../migrations/index';
import { APPLICATION_ID, versionOf } from '../migrations/migrate';
import { ARTIFACTS, databaseIn, newerMend } from '../opening/backup-files';
import { dropRestoring, freeName, restoringOf, settlePath, sizeOf, stamp, walOf } from '../opening/files';
import { takeLease } from '../opening/lease';
import { openingError } from '../opening/words';
import { DamagedCopy, makeSingleFile, synced, syncFolder } from './online-backup';

/** In this order. A process that ends after any of them leaves one of the two databases in use, whole. */
type RestoreStep = 'copied' | 'checked' | 'artifacts' | 'settled' | 'kept' | 'replaced';

export interface RestoreOptions {
  readonly path: string;
  /** A backup: a database file, or a folder with artifacts. */
  readonly from: string;
  /** The runs' files of this Muster: those of the backup are added, none is replaced. */
  readonly artifacts: string;
  readonly now?: () => number;
  readonly latest?: number;
  /** For tests that end the process here. */
  readonly reached?: (step: RestoreStep) => void;
}

export interface Restored {
  readonly version: number;
  /** The database that was in use; null if there was none. */
  readonly kept: string | null;
}

const ENDINGS = ['', '-wal', '-shm', '-journal'];

/** Puts a backup in the place of the database, unless a core uses that. */
export function restoreDatabase(options: RestoreOptions): Result<Restored> {
  const at = (options.now ?? Date.now)();
  try {
    const path = settlePath(options.path);
    const lease = takeLease(path, { now: at, boot: at - Math.round(uptime() * 1000) });
    if (!lease.ok) return lease;
    try {
      lease.value.publish(null);
      return restoreHeld({ ...options, path }, at);
    } finally {
      // The next start checks every page.
      lease.value.release('damaged');
    }
  } catch (fault) {
    const error = restoreError(fault, options);
    if (error === null) throw fault;
    return err(error);
  }
}

function restoreHeld(options: RestoreOptions, at: number): Result<Restored> {
  const { path, from, latest = MIGRATIONS.length, reached = () => undefined } = options;
  const source = databaseIn(from);
  const refusal = sourceRefusal(source, options);
  if (refusal !== null) return err(refusal);
  const copy = restoringOf(path);
  dropRestoring(path);
  try {
    copyFileSync(source, copy, constants.COPYFILE_FICLONE);
    if (sizeOf(walOf(source)) > 0) copyFileSync(walOf(source), walOf(copy));
    chmodSync(copy, 0o600);
    reached('copied');
    const checked = check(copy, { ...options, latest });
    if (!checked.ok) {
      dropRestoring(path);
      return checked;
    }
    synced(copy);
    reached('checked');
    if (source !== from) addArtifacts(join(from, ARTIFACTS), options.artifacts);
    reached('artifacts');
    const kept = replace({ path, copy, at, reached });
    return ok({ version: checked.value, kept });
  } catch (fault) {
    dropRestoring(path);
    throw fault;
  }
}

function sourceRefusal(source: string, { path, from }: RestoreOptions): AppError | null {
  if (!existsSync(source))
    return appError('not_found', `There is no backup ${from}.`, { where: { file: from } });
  if (existsSync(path) && realpathSync(source) === realpathSync(path))
    return appError('input.invalid', `${from} is the database itself.`, {
      where: { file: from },
      mend: 'Name a backup of it.',
    });
  return null;
}

/** The version of the copy, which is one file afterwards. */
function check(copy: string, { from, path, latest }: RestoreOptions & { latest: number }): Result<number> {
  const where = { file: from };
  const db = connectReadOnly(copy);
  let found: { version: number; application: number };
  try {
    const application = Number(db.pragma('application_id', { simple: true }));
    found = { version: versionOf(db), application };
  } finally {
    db.close();
  }
  if (found.application !== APPLICATION_ID)
    return err(appError('store.failed', `${from} is not a database of Muster.`, { where }));
  if (found.version > latest) {
    const text = `The backup has version ${found.version}; this Muster knows versions up to ${latest}.`;
    return err(appError('store.newer', text, { where, mend: newerMend(path, latest) }));
  }
  makeSingleFile(copy);
  return ok(found.version);
}

interface Replacing {
  readonly path: string;
  readonly copy: string;
  readonly at: number;
  readonly reached: (step: RestoreStep) => void;
}

/** The rename replaces the file in one step, so at each moment there is a whole database at `path`. */
function replace({ path, copy, at, reached }: Replacing): string | null {
  if (existsSync(path)) settleCurrent(path);
  reached('settled');
  const kept = keepCurrent(path, at);
  reached('kept');
  renameSync(copy, path);
  syncFolder(dirname(path));
  reached('replaced');
  return kept;
}

/** Brings everything into the one file, because a -wal that is left would be applied to the next database. */
function settleCurrent(path: string): void {
  try {
    readOnce(path);
    const db = connect(path);
    try {
      db.pragma('wal_checkpoint(truncate)');
      db.pragma('journal_mode = DELETE');
    } finally {
      db.close();
    }
  } catch (fault) {
    // A damaged database is kept as it is, with its -wal.
    if (!isSqliteError(fault)) throw fault;
  }
}

/** Through a connection that changes nothing: a writing one would delete the -wal of a damaged file. */
function readOnce(path: string): void {
  const db = connectReadOnly(path);
  try {
    db.prepare('select count(*) from sqlite_schema').get();
  } finally {
    db.close();
  }
}

function keepCurrent(path: string, at: number): string | null {
  if (!existsSync(path)) return null;
  const kept = freeName(`${path}.before-restore-${stamp(at)}`, ENDINGS);
  if (existsSync(walOf(path))) copyWhole(walOf(path), walOf(kept));
  try {
    linkSync(path, kept);
  } catch {
    // Not every file system has hard links.
    copyWhole(path, kept);
  }
  syncFolder(dirname(path));
  for (const ending of ENDINGS.slice(1)) rmSync(path + ending, { force: true });
  return kept;
}

function copyWhole(from: string, to: string): void {
  copyFileSync(from, `${to}.part`, constants.COPYFILE_FICLONE);
  synced(`${to}.part`);
  renameSync(`${to}.part`, to);
}

/** Files that are there are newer than those of the backup. */
function addArtifacts(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    const there = lstatSync(target, { throwIfNoEntry: false });
    if (entry.isDirectory()) {
      if (there === undefined || there.isDirectory()) addArtifacts(source, target);
    } else if (entry.isFile() && there === undefined) copyWhole(source, target);
  }
}

function restoreError(fault: unknown, { path, from }: RestoreOptions): AppError | null {
  if (fault instanceof DamagedCopy || isCorruption(fault))
    return appError('store.damaged', `The backup is damaged: ${messageOf(fault)}. Nothing was changed.`, {
      where: { file: from },
      mend: 'Restore another backup.',
    });
  return openingError(fault, path);
}

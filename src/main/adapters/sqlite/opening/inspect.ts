import { existsSync, statSync } from 'node:fs';
import { messageOf } from '@contract/error-message';
import { type AppError, appError } from '@contract/errors';
import { z } from 'zod';
import { BOOT_SLACK_MS, FULL_CHECK_MS } from '../../../limits/core';
import { CHECKED_DATABASE_BYTES } from '../../../limits/core-sizes';
import { connectReadOnly } from '../connection';
import { isCorruption, storeError } from '../faults';
import { APPLICATION_ID, UNRELEASED_ID, versionOf } from '../migrations/migrate';
import type { Db } from '../sql';
import { type Header, headerOf, newerMend } from './backup-files';
import { sizeOf, walOf } from './files';
import type { Past } from './lease';

export type Finding =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'sound';
      readonly version: number;
      readonly checked: boolean;
      /** What is wrong with the search index, which can be built again. */
      readonly index?: string;
    }
  | { readonly kind: 'damaged'; readonly what: string }
  | { readonly kind: 'refused'; readonly error: AppError };

interface InspectOptions {
  readonly latest: number;
  readonly past: Past;
  readonly now: number;
  readonly boot: number;
  readonly busyTimeoutMs: number;
}

/** Inspects the file before anything is changed, through a read-only connection. */
export function inspect(path: string, options: InspectOptions): Finding {
  if (sizeOf(path) === 0) {
    return sizeOf(walOf(path)) === 0 ? { kind: 'absent' } : { kind: 'damaged', what: 'the file is empty' };
  }
  let db: Db | null = null;
  try {
    const error = existsSync(walOf(path)) ? null : refusalOf(path, options);
    if (error !== null) return { kind: 'refused', error };
    db = connectReadOnly(path, options);
    return examine(db, path, options);
  } catch (fault) {
    if (isCorruption(fault)) return { kind: 'damaged', what: messageOf(fault) };
    const error = storeError(fault, path);
    if (error === null) throw fault;
    return { kind: 'refused', error };
  } finally {
    db?.close();
  }
}

/**
 * A file without SQLite's header is damaged if a Muster has used it before. Otherwise it is some other file
 * that was named by mistake, and must not be renamed.
 */
function refusalOf(path: string, { latest, past }: InspectOptions): AppError | null {
  const header = headerOf(path);
  if (header !== null || past.boot !== null) return refusal(path, header, latest);
  return appError('store.failed', 'The file is not a database. It is unchanged.', {
    where: { file: path },
    mend: 'Name another file for the database.',
  });
}

function refusal(path: string, header: Header | null, latest: number): AppError | null {
  if (header === null || (header.version === 0 && header.application === 0)) return null;
  if (header.application === UNRELEASED_ID) return unreleased(path);
  if (header.application !== APPLICATION_ID) return foreign(path);
  return header.version > latest ? newer(path, header.version, latest) : null;
}

function examine(db: Db, path: string, options: InspectOptions): Finding {
  const version = versionOf(db);
  const tables = Number(db.prepare('select count(*) from sqlite_schema').pluck().get());
  if (version === 0 && tables === 0) return { kind: 'absent' };
  if (version === 0) return { kind: 'refused', error: foreign(path) };
  const application = Number(db.pragma('application_id', { simple: true }));
  const error = refusal(path, { version, application }, options.latest);
  if (error !== null) return { kind: 'refused', error };
  if (!mustCheck(path, options)) return { kind: 'sound', version, checked: false };
  const faults = checkSchema.parse(db.pragma(`quick_check(${MOST_FAULTS})`)).map((row) => row.quick_check);
  const [first = 'ok'] = faults;
  if (first === 'ok') return { kind: 'sound', version, checked: true };
  const isOfIndex = version === options.latest && faults.every((fault) => OF_INDEX.test(fault));
  return isOfIndex
    ? { kind: 'sound', version, checked: true, index: first }
    : { kind: 'damaged', what: first };
}

const checkSchema = z.array(z.object({ quick_check: z.string() }));
const MOST_FAULTS = 100;
/** The words of FTS5 and of SQLite for damage in the table `search`. */
const OF_INDEX = /^fts5: .*\btable "search"|FTS5 table main\.search\b/;

/**
 * Checking every page of a million events (360 MB) takes 0.2 s from memory, or as long as the disk needs to
 * read them. A large file is therefore not checked if it cannot have been damaged: it was closed properly and
 * is unchanged, or only our process died, which SQLite survives as long as the machine keeps running.
 */
function mustCheck(path: string, { past, now, boot }: InspectOptions): boolean {
  if (past.checkedAt === null || now - past.checkedAt > FULL_CHECK_MS) return true;
  if (past.shutdown !== null) {
    const { size, mtimeMs } = statSync(path);
    return size !== past.shutdown.bytes || Math.trunc(mtimeMs) !== past.shutdown.changedAt;
  }
  if (past.boot === null || Math.abs(past.boot - boot) > BOOT_SLACK_MS) return true;
  return sizeOf(path) <= CHECKED_DATABASE_BYTES;
}

function newer(path: string, version: number, latest: number): AppError {
  return appError(
    'store.newer',
    `The database has version ${version}; this Muster knows versions up to ${latest}. It is unchanged.`,
    { where: { file: path }, mend: newerMend(path, latest) },
  );
}

function unreleased(path: string): AppError {
  return appError(
    'store.failed',
    'The database was written before Muster 0.1.0, which cannot read it. It is unchanged.',
    {
      where: { file: path },
      mend: 'Move it to another folder and start Muster again, or name another database.',
    },
  );
}

function foreign(path: string): AppError {
  return appError('store.failed', 'The file is a database of another program. It is unchanged.', {
    where: { file: path },
    mend: 'Name another file for the database.',
  });
}

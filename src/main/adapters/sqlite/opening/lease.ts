import { hostname } from 'node:os';
import { type AppError, appError } from '@contract/errors';
import { lazyObject } from '@contract/lazy-object';
import { err, ok, type Result } from '@contract/result';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { isCorruption, isSqliteError } from '../faults';
import { type Db, reading, writing } from '../sql';
import { makePrivate } from './files';
import { openingError } from './words';

/** The state of the database file when it was closed: size and time reveal later changes. */
export interface Shutdown {
  readonly bytes: number;
  readonly changedAt: number;
}

/** `crashed`: not closed properly. `damaged`: SQLite found damage, so the file must be checked. */
type Ending = Shutdown | 'crashed' | 'damaged';

/** Information from the last holder. */
export interface Past {
  /** Null if it did not close the database. */
  readonly shutdown: Shutdown | null;
  /** When its machine was started; null if there was no holder before. */
  readonly boot: number | null;
  /** When every page of the database was last checked. */
  readonly checkedAt: number | null;
}

/**
 * Ensures a single live core per database. The lease is an open write transaction on a small separate
 * database beside the store: the operating system releases its lock when the process dies for any reason, so
 * there is no heartbeat and nothing to clean up. It can be read, so a second core can report the holder.
 */
export interface Lease {
  readonly past: Past;
  /**
   * Records the holder and the time of the last full check before the database is changed, so that the next
   * start knows if this process dies. Throws `SQLITE_BUSY` if another process took the lease meanwhile.
   */
  publish(checkedAt: number | null): void;
  /** Releases the lease, with what the next start needs to know. */
  release(end: Ending): void;
}

interface LeaseOptions {
  readonly now: number;
  /** When this machine was started. */
  readonly boot: number;
}

const SCHEMA = `
create table if not exists holder (
  one integer primary key check (one = 1),
  token text not null, pid integer not null, host text not null, since integer not null, boot integer not null
) strict;
create table if not exists record (
  one integer primary key check (one = 1),
  checked_at integer, bytes integer, changed_at integer
) strict;
insert or ignore into record (one) values (1);`;

const holderSchema = lazyObject(() => ({
  token: z.string(),
  pid: z.number(),
  host: z.string(),
  since: z.number(),
  boot: z.number(),
}));
type Holder = z.infer<typeof holderSchema>;
const recordSchema = lazyObject(() => ({
  checkedAt: z.number().nullable(),
  bytes: z.number().nullable(),
  changedAt: z.number().nullable(),
}));

const ATTEMPTS = 5;

export function takeLease(path: string, options: LeaseOptions): Result<Lease> {
  const file = `${path}.lease`;
  let token = '';
  let db: Db | null = null;
  try {
    makePrivate(file);
    db = new Database(file, { timeout: 250 });
    // Node's own value takes 3 ms to read.
    token = String(db.prepare('select hex(randomblob(16))').pluck().get());
    // A power failure must not corrupt it. Its journal file is kept: creating and deleting it takes longer
    // than the syncs.
    db.pragma('journal_mode = PERSIST');
    db.pragma('synchronous = FULL');
    return ok(claim(db, { ...options, token }));
  } catch (fault) {
    const busy = isSqliteError(fault) && fault.code.startsWith('SQLITE_BUSY');
    const error = busy ? heldBy(db === null ? null : rival(db, token), path) : leaseError(fault, file);
    db?.close();
    if (error === null) throw fault;
    return err(error);
  }
}

/** It contains only the current holder; a damaged lease cannot tell whether there is one. */
function leaseError(fault: unknown, file: string): AppError | null {
  if (!isCorruption(fault)) return openingError(fault, file);
  return appError('store.failed', `The lock of the database is damaged: ${file}.`, {
    where: { file },
    mend: 'Make sure no other Muster is running, delete this file, and start Muster again. It contains none of your work.',
  });
}

function claim(db: Db, own: LeaseOptions & { token: string }): Lease {
  db.exec('begin immediate');
  db.exec(SCHEMA);
  const past = pastOf(db);
  const name = writing(
    db,
    'insert or replace into holder (one, token, pid, host, since, boot) values (1, ?, ?, ?, ?, ?)',
  );
  const record = writing(db, 'update record set checked_at = ?, bytes = ?, changed_at = ?');
  let checkedAt = past.checkedAt;

  // Each commit syncs several times, so there is only one. Others can read the holder only once it is
  // committed, and the commit releases the lock for a moment. If another process got in between, its name is
  // there, so this is repeated.
  const publish = (): void => {
    record.run(checkedAt, null, null);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      name.run(own.token, process.pid, hostname(), own.now, own.boot);
      db.exec('commit');
      db.exec('begin immediate');
      if (holderOf(db)?.token === own.token) return;
    }
    throw new Database.SqliteError('the lease went back and forth', 'SQLITE_BUSY');
  };

  return {
    past,
    publish(at) {
      checkedAt = at;
      publish();
    },
    release(end) {
      if (end === 'damaged') record.run(null, null, null);
      else if (end !== 'crashed') record.run(checkedAt, end.bytes, end.changedAt);
      db.exec('commit');
      db.close();
    },
  };
}

const holderOf = (db: Db): Holder | null =>
  reading(db, holderSchema, 'select token, pid, host, since, boot from holder').get();

function pastOf(db: Db): Past {
  const record = reading(
    db,
    recordSchema,
    'select checked_at as checkedAt, bytes, changed_at as changedAt from record',
  ).get();
  const { bytes, changedAt } = record ?? { bytes: null, changedAt: null };
  return {
    shutdown: bytes === null || changedAt === null ? null : { bytes, changedAt },
    boot: holderOf(db)?.boot ?? null,
    checkedAt: record?.checkedAt ?? null,
  };
}

/** Null if no name can be read: the other process is just writing it. */
function rival(db: Db, ownToken: string): Holder | null {
  try {
    const holder = holderOf(db);
    return holder?.token === ownToken ? null : holder;
  } catch (fault) {
    if (isSqliteError(fault)) return null;
    throw fault;
  }
}

function heldBy(holder: Holder | null, path: string): AppError {
  const who =
    holder === null
      ? 'Another Muster, which is just starting,'
      : `Another Muster (process ${holder.pid} on ${holder.host}, since ${new Date(holder.since).toISOString()})`;
  return appError('store.locked', `${who} uses this database.`, {
    where: { file: path },
    mend: 'Use that Muster, quit it, or choose another database.',
  });
}

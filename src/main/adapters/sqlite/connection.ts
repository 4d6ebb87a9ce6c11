import Database from 'better-sqlite3';
import { BUSY_TIMEOUT_MS } from '../../limits/core';
import { WAL_BYTES } from '../../limits/core-sizes';
import type { Db } from './sql';

/**
 * Automatic checkpoints happen at 10,000 pages (40 MB) instead of 1,000, which nearly doubles the rate of a
 * burst. Between bursts `upkeep` makes them.
 */
const CHECKPOINT_PAGES = 10_000;

interface ConnectOptions {
  readonly busyTimeoutMs?: number;
}

/** Read-only. Closing it leaves the file and its -wal unchanged, byte for byte. */
export function connectReadOnly(path: string, options: ConnectOptions = {}): Db {
  return new Database(path, {
    readonly: true,
    fileMustExist: true,
    timeout: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS,
  });
}

/** The single writing connection. Throws SqliteError. */
export function connect(path: string, options: ConnectOptions = {}): Db {
  const db = new Database(path, { timeout: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS });
  try {
    configure(db);
    return db;
  } catch (fault) {
    db.close();
    throw fault;
  }
}

function configure(db: Db): void {
  const mode = db.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal') throw new Database.SqliteError('no write-ahead log in this folder', 'SQLITE_CANTOPEN');
  db.pragma('synchronous = FULL');
  if (process.platform === 'darwin') {
    // On macOS a plain fsync stops at the drive's cache.
    db.pragma('fullfsync = ON');
    db.pragma('checkpoint_fullfsync = ON');
  }
  db.pragma('foreign_keys = ON');
  db.pragma('trusted_schema = OFF');
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  db.pragma(`journal_size_limit = ${WAL_BYTES}`);
}

import { statSync } from 'node:fs';
import { uptime } from 'node:os';
import type { AppError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { Store } from '../../core/ports/store/store';
import { BUSY_TIMEOUT_MS } from '../../limits/core';
import { connect } from './connection';
import { isCorruption } from './faults';
import { createCounters } from './log/counters';
import { MIGRATIONS } from './migrations/index';
import { migrate } from './migrations/migrate';
import type { Migration } from './migrations/migration';
import { backUp } from './opening/backup';
import { dropRestoring, makePrivate, settlePath } from './opening/files';
import { inspect } from './opening/inspect';
import { type Lease, type Past, type Shutdown, takeLease } from './opening/lease';
import { setAside } from './opening/set-aside';
import { copied, damaged, indexRebuilt, openingError } from './opening/words';
import { emptyIndex } from './search/indexer';
import type { Db } from './sql';
import { createStore, type StoreParts } from './store';

export interface OpenOptions {
  /** The database file. It and its folder are created if missing. */
  readonly path: string;
  readonly now?: () => number;
  /** How long to wait for another program's lock. */
  readonly busyTimeoutMs?: number;
  /** What the operator is told besides. */
  readonly notices?: Store['notices'];
  /** For tests of migrations between two versions. */
  readonly migrations?: readonly Migration[];
}

type Notice = Store['notices'][number];

interface Opening {
  readonly path: string;
  readonly at: number;
  readonly boot: number;
  readonly busyTimeoutMs: number;
  readonly migrations: readonly Migration[];
  readonly notices: Notice[];
}

/**
 * Opens the store exclusively for this process. The order matters: first the lease; then an inspection that
 * changes nothing; a damaged file is moved away; an older one is backed up before it is migrated.
 */
export function openStore(options: OpenOptions): Result<Store> {
  const now = options.now ?? Date.now;
  try {
    const at = now();
    const path = settlePath(options.path);
    const boot = at - Math.round(uptime() * 1000);
    const lease = takeLease(path, { now: at, boot });
    if (!lease.ok) return lease;
    const opening: Opening = {
      path,
      at,
      boot,
      busyTimeoutMs: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS,
      migrations: options.migrations ?? MIGRATIONS,
      notices: [...(options.notices ?? [])],
    };
    return openHeld(opening, { lease: lease.value, now });
  } catch (fault) {
    const error = openingError(fault, options.path);
    if (error === null) throw fault;
    return err(error);
  }
}

function openHeld(opening: Opening, { lease, now }: { lease: Lease; now: () => number }): Result<Store> {
  const { path, notices } = opening;
  const closed: StoreParts['closed'] = (how) => {
    if (how === 'damaged') lease.release('damaged');
    else lease.release(how === 'whole' ? shutdownOf(path) : 'crashed');
  };
  let db: Db | null = null;
  try {
    dropRestoring(path);
    const prepared = prepare(opening, lease);
    if (!prepared.ok) {
      lease.release(lease.past.shutdown ?? 'crashed');
      return prepared;
    }
    db = prepared.value;
    return ok(createStore(db, { path, now, notices, closed }));
  } catch (fault) {
    db?.close();
    lease.release('crashed');
    throw fault;
  }
}

function shutdownOf(path: string): Shutdown {
  const { size, mtimeMs } = statSync(path);
  return { bytes: size, changedAt: Math.trunc(mtimeMs) };
}

function prepare(opening: Opening, lease: Lease): Result<Db> {
  const first = attempt(opening, lease, lease.past);
  // It was not fully checked and failed on first use: a full check will find the damage.
  const attempted =
    first.outcome === 'broken' ? attempt(opening, lease, { ...lease.past, checkedAt: null }) : first;
  switch (attempted.outcome) {
    case 'refused':
      return err(attempted.error);
    case 'broken':
      throw attempted.fault;
    case 'open':
      return ok(attempted.db);
  }
}

type Attempt =
  | { readonly outcome: 'open'; readonly db: Db }
  | { readonly outcome: 'refused'; readonly error: AppError }
  | { readonly outcome: 'broken'; readonly fault: unknown };

function attempt(opening: Opening, lease: Lease, past: Past): Attempt {
  const { path, at, boot, busyTimeoutMs, notices } = opening;
  const latest = opening.migrations.length;
  const found = inspect(path, { latest, past, now: at, boot, busyTimeoutMs });
  if (found.kind === 'refused') return { outcome: 'refused', error: found.error };
  const checked = found.kind !== 'sound' || found.checked;
  lease.publish(checked ? at : past.checkedAt);
  if (found.kind === 'damaged') notices.push(damaged(setAside(path, at), { path, at, what: found.what }));
  const older = found.kind === 'sound' && found.version < latest ? found.version : null;
  try {
    if (older !== null) notices.push(copied(backUp(path, { version: older, at, busyTimeoutMs }), at));
    const index = found.kind === 'sound' ? found.index : undefined;
    return { outcome: 'open', db: index === undefined ? bring(opening) : withNewIndex(opening, index) };
  } catch (fault) {
    if (isCorruption(fault)) return { outcome: 'broken', fault };
    throw fault;
  }
}

/** Only derived data is damaged: it is emptied, and filled again from the events while the core runs. */
function withNewIndex(opening: Opening, what: string): Db {
  const { path, at, notices } = opening;
  const db = bring(opening);
  try {
    emptyIndex(db);
    notices.push(indexRebuilt(at, what));
    return db;
  } catch (fault) {
    db.close();
    if (!isCorruption(fault)) throw fault;
    notices.push(damaged(setAside(path, at), { path, at, what }));
    return bring(opening);
  }
}

/** The writing connection, with the latest schema and proven to be writable. */
function bring({ path, at, busyTimeoutMs, migrations }: Opening): Db {
  makePrivate(path);
  const db = connect(path, { busyTimeoutMs });
  try {
    migrate(db, migrations);
    createCounters(db).set('opened', at);
    return db;
  } catch (fault) {
    db.close();
    throw fault;
  }
}

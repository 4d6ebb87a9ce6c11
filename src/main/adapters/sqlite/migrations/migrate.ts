import { messageOf } from '@contract/error-message';
import { storeError } from '../faults';
import { atomically, type Db } from '../sql';
import type { Migration } from './migration';

/** 'MSTR': distinguishes our files from other programs' SQLite files. */
export const APPLICATION_ID = 0x4d535452;
/** 'MUST': the files of development versions, from before migration 1. */
export const UNRELEASED_ID = 0x4d555354;

export const versionOf = (db: Db): number => Number(db.pragma('user_version', { simple: true }));

/** Migrates the schema. Each step is a separate transaction, so a crash leaves a complete older version. */
export function migrate(db: Db, migrations: readonly Migration[]): void {
  const from = versionOf(db);
  const open = migrations.filter((migration) => migration.version > from);
  if (open.length === 0) return;
  // Rebuilding a table would delete the rows that reference it.
  db.pragma('foreign_keys = OFF');
  try {
    for (const migration of open) step(db, migration);
  } finally {
    db.pragma('foreign_keys = ON');
  }
}

/** A migration that does not fit this database: a bug first seen by the operator. */
export class MigrationFault extends Error {
  override readonly name = 'MigrationFault';
}

function step(db: Db, migration: Migration): void {
  const { version } = migration;
  if (version !== versionOf(db) + 1) throw new Error(`migration ${version} is out of order`);
  try {
    atomically(db, () => {
      migration.up(db);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${version}`);
      const broken = db.prepare('pragma foreign_key_check').all();
      if (broken.length > 0) throw new Error(`${broken.length} references lead nowhere`);
    });
  } catch (fault) {
    if (storeError(fault, db.name) !== null) throw fault;
    const why = messageOf(fault);
    throw new MigrationFault(`The database cannot be brought to version ${version}: ${why}`, {
      cause: fault,
    });
  }
}

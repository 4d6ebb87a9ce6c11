import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../connection';
import { MIGRATIONS } from '../migrations/index';
import { migrate } from '../migrations/migrate';

const fixtures = join(import.meta.dirname, '..', 'migrations', 'fixtures');

/**
 * A database as left by version `version`: its schema, and rows written by a Muster of that version
 * (`fixtures/000N.sql`). Version 0 is an empty file.
 */
export function olderDatabase(path: string, version: number): void {
  const db = connect(path);
  migrate(
    db,
    MIGRATIONS.filter((migration) => migration.version <= version),
  );
  const rows = join(fixtures, `${String(version).padStart(4, '0')}.sql`);
  if (existsSync(rows)) db.exec(readFileSync(rows, 'utf8'));
  db.close();
}

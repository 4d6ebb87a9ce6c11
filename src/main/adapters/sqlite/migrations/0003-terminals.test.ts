import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { connect } from '../connection';
import { type Db, reading } from '../sql';
import { olderDatabase } from '../testing/older';
import { Place } from '../testing/place';
import { MIGRATIONS } from './index';
import { migrate, versionOf } from './migrate';

let place: Place;
let db: Db;
beforeEach(() => {
  place = new Place();
  olderDatabase(place.path, 2);
  db = connect(place.path);
});
afterEach(() => {
  db.close();
  place.remove();
});

const upgrade = () =>
  migrate(
    db,
    MIGRATIONS.filter(({ version }) => version <= 3),
  );

test('a database of version 2 keeps its runs and rules, and takes terminals', () => {
  const rows = z.object({ id: z.number(), uid: z.string() });
  const before = reading(db, rows, 'select id, uid from runs').all();
  expect(before.length).toBeGreaterThan(0);
  upgrade();
  expect(versionOf(db)).toBe(3);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(reading(db, rows, 'select id, uid from runs').all()).toEqual(before);
});

test('the terminals of a run are removed with it', () => {
  upgrade();
  db.pragma('foreign_keys = ON');
  db.exec(`
    insert into terminals (run_id, name, output_path, opened_at, bytes, evicted) values (1, 'c1', '/c1.log', 1, 5, 0);
    insert into terminal_lengths values (1, 1, 5, 1);
    delete from runs where id = 1;`);
  expect(db.prepare('select count(*) as n from terminals').get()).toEqual({ n: 0 });
  expect(db.prepare('select count(*) as n from terminal_lengths').get()).toEqual({ n: 0 });
});

test('the migration 0003 is unchanged since its release: make the next one', () => {
  upgrade();
  const schema = reading(
    db,
    z.object({ sql: z.string() }),
    "select sql from sqlite_schema where sql is not null and tbl_name like 'terminal%'",
  );
  const text = schema
    .all()
    .map(({ sql }) => sql)
    .join('\n');
  expect(createHash('sha256').update(text).digest('hex')).toMatchInlineSnapshot(
    `"affc3ac9e7803b6124994b24e013e5fdab6dd35b8fa65f01f7c9e652f42f35a7"`,
  );
});

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
  olderDatabase(place.path, 4);
  db = connect(place.path);
});
afterEach(() => {
  db.close();
  place.remove();
});

const upgrade = () =>
  migrate(
    db,
    MIGRATIONS.filter(({ version }) => version <= 5),
  );

test('the deliveries of a database of version 4 stay, as those of updates', () => {
  upgrade();
  expect(versionOf(db)).toBe(5);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.prepare('select id, subject, state from deliveries').all()).toEqual([
    { id: 1, subject: 'update', state: 'delivered' },
  ]);
  expect(db.prepare('select count(*) as n from announcements').get()).toEqual({ n: 0 });
});

test('the announcements of a run are removed with it', () => {
  upgrade();
  db.pragma('foreign_keys = ON');
  db.exec(`insert into announcements (event_id, run_id, subject, step_type, step_title, trouble)
    values (9, 1, 'question', 'step.ralph', 'Loop', 1);
    delete from runs where id = 1;`);
  expect(db.prepare('select count(*) as n from announcements').get()).toEqual({ n: 0 });
});

test('the migration 0005 is unchanged since its release: make the next one', () => {
  upgrade();
  const schema = reading(
    db,
    z.object({ sql: z.string() }),
    "select sql from sqlite_schema where sql is not null and tbl_name in ('announcements', 'deliveries')",
  );
  const text = schema
    .all()
    .map(({ sql }) => sql)
    .join('\n');
  expect(createHash('sha256').update(text).digest('hex')).toMatchInlineSnapshot(
    `"da970e39b6132b5a02a4e40df2f9dd4f9ad5debd59e7b6d50cdb13c9dc442c29"`,
  );
});

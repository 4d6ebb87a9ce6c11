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
  olderDatabase(place.path, 6);
  db = connect(place.path);
});
afterEach(() => {
  db.close();
  place.remove();
});

const upgrade = () =>
  migrate(
    db,
    MIGRATIONS.filter(({ version }) => version <= 7),
  );
test('the runs of a database of version 6 are marked to be added up, to their last event of now', () => {
  upgrade();
  expect(versionOf(db)).toBe(7);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.prepare('select * from runs_to_add_up').all()).toEqual([{ run_id: 1, up_to: 9 }]);
});

test('the usages of a run are removed with it', () => {
  upgrade();
  db.exec("insert into usages (event_id, run_id, at, step, step_title) values (5, 1, 1, 'write', 'Write')");
  db.pragma('foreign_keys = ON');
  db.exec('delete from gates; delete from runs where id = 1;');
  expect(db.prepare('select count(*) as n from usages').get()).toEqual({ n: 0 });
  expect(db.prepare('select count(*) as n from runs_to_add_up').get()).toEqual({ n: 0 });
});

test('the migration 0007 is unchanged since its release: make the next one', () => {
  upgrade();
  const schema = reading(
    db,
    z.object({ sql: z.string() }),
    "select sql from sqlite_schema where sql is not null and (tbl_name in ('usages', 'pieces', 'runs_to_add_up') or name = 'runs_by_end')",
  );
  const text = schema
    .all()
    .map(({ sql }) => sql)
    .join('\n');
  expect(createHash('sha256').update(text).digest('hex')).toMatchInlineSnapshot(
    `"bb7a36a700242934647d4733dcee3607e05021fd9ca06df1ed9640f07a174676"`,
  );
});

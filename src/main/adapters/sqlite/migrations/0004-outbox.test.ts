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
  olderDatabase(place.path, 3);
  db = connect(place.path);
});
afterEach(() => {
  db.close();
  place.remove();
});

const upgrade = () =>
  migrate(
    db,
    MIGRATIONS.filter(({ version }) => version <= 4),
  );
const plan = (sql: string) =>
  reading(db, z.object({ detail: z.string() }), `explain query plan ${sql}`)
    .all()
    .map(({ detail }) => detail)
    .join('\n');

test('a database of version 3 keeps its runs and updates, learns who they come from, and counts them as read', () => {
  db.exec(`
    insert into events (id, run_id, seq, at, type, body)
      select 100, 1, 100, 1, type, json_set(body, '$.turnId', 1) from events where id = 6;
    insert into updates (event_id, run_id, result) values (100, 1, 'completed');`);
  const rows = z.object({ id: z.number(), uid: z.string() });
  const before = reading(db, rows, 'select id, uid from runs').all();
  expect(before.length).toBeGreaterThan(0);
  upgrade();
  expect(versionOf(db)).toBe(4);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(reading(db, rows, 'select id, uid from runs').all()).toEqual(before);
  expect(db.prepare('select event_id, step_id, agent from updates').all()).toEqual([
    { event_id: 6, step_id: 'write', agent: null },
    { event_id: 100, step_id: 'write', agent: 'writer' },
  ]);
  expect(db.prepare("select value from settings where key = 'feed.readTo'").get()).toEqual({ value: '100' });
});

test('the deliveries of a run are removed with it, and an update is delivered to a target once', () => {
  upgrade();
  db.pragma('foreign_keys = ON');
  const add = (key: string) =>
    db
      .prepare(
        `insert into deliveries (event_id, run_id, target, state, attempts, queued_at, next_at, key)
         values (6, 1, 'hook', 'queued', 0, 1, 1, ?)`,
      )
      .run(key);
  add('a');
  expect(() => add('b')).toThrow(/UNIQUE/);
  db.exec('delete from runs where id = 1');
  expect(db.prepare('select count(*) as n from deliveries').get()).toEqual({ n: 0 });
});

test('open deliveries, and the updates of a step or an agent, are read from an index', () => {
  upgrade();
  expect(
    plan("select min(run_id) from deliveries where target = 'a' and closed_at is null and run_id > 3"),
  ).toMatch(/using index deliveries_open/i);
  expect(plan("select event_id from updates where step_id = 'a' order by event_id desc limit 9")).toMatch(
    /using covering index updates_by_step/i,
  );
  expect(plan("select event_id from updates where agent = 'a' order by event_id desc limit 9")).toMatch(
    /using covering index updates_by_agent/i,
  );
});

test('the migration 0004 is unchanged since its release: make the next one', () => {
  upgrade();
  const schema = reading(
    db,
    z.object({ sql: z.string() }),
    "select sql from sqlite_schema where sql is not null and (tbl_name like 'deliver%' or tbl_name in ('updates', 'runs'))",
  );
  const text = schema
    .all()
    .map(({ sql }) => sql)
    .join('\n');
  expect(createHash('sha256').update(text).digest('hex')).toMatchInlineSnapshot(
    `"b998b86c1975383559ebe3d770412b27a6949718a5938d0b4e981ae304334dda"`,
  );
});

import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connect } from '../connection';
import { type Db, reading } from '../sql';
import { olderDatabase } from '../testing/older';
import { Place } from '../testing/place';
import { schemaMigration } from './0001-schema';
import { APPLICATION_ID, migrate, versionOf } from './migrate';

let place: Place;
let db: Db;
beforeEach(() => {
  place = new Place();
  db = connect(place.path);
  migrate(db, [schemaMigration]);
});
afterEach(() => {
  db.close();
  place.remove();
});

const rowsOf = (table: string) => db.prepare(`select * from ${table}`).all();
const planSchema = z.object({ detail: z.string() });
const plan = (sql: string) =>
  reading(db, planSchema, `explain query plan ${sql}`)
    .all()
    .map(({ detail }) => detail)
    .join('\n');

const tableSchema = z.object({ name: z.string(), type: z.string(), strict: z.number() });

test('an empty database is brought to version 1', () => {
  expect(versionOf(db)).toBe(1);
  expect(db.pragma('application_id', { simple: true })).toBe(APPLICATION_ID);
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
});

test('every table is strict', () => {
  const tables = reading(db, tableSchema, 'pragma table_list')
    .all()
    .filter(({ name }) => !name.startsWith('sqlite_'));
  const own = tables.filter(({ type }) => type === 'table');
  expect(own.filter(({ strict }) => strict === 0)).toEqual([]);
  const virtual = tables.filter(({ type }) => type === 'virtual');
  expect(virtual.map(({ name }) => name)).toEqual(['search']);
});

describe('with the rows of a run', () => {
  beforeEach(() => {
    db.close();
    olderDatabase(place.path, 1);
    db = connect(place.path);
  });

  test('a stored event cannot be changed', () => {
    expect(() => db.exec('update events set type = 2')).toThrow('an event is never changed');
  });

  test('the rows of a run are removed with it', () => {
    const ofRun = reading(
      db,
      z.object({ name: z.string() }),
      `select m.name from sqlite_schema m, pragma_foreign_key_list(m.name) f
       where m.type = 'table' and f."table" = 'runs' and f.on_delete = 'CASCADE' order by m.name`,
    );
    const tables = ofRun.all().map(({ name }) => name);
    expect(tables).toContain('event_ranges');
    tables.push('events');
    db.exec("update permission_rules set scope = 'run', run_id = 1;");
    expect(tables.filter((table) => rowsOf(table).length === 0)).toEqual([]);
    db.exec('delete from runs where id = 1');
    expect(tables.filter((table) => rowsOf(table).length > 0)).toEqual([]);
  });

  test('the events of other runs stay when a run is removed', () => {
    db.exec(`insert into runs select 2, 'OTHER', name, workflow_name, agents, project_id, source_file, started_by, status,
        outcome, reason, started_at, finished_at, at, steps, steps_done, open_gates, now, tokens, cost_usd,
        budget_tokens, budget_usd, imported_to, binned_at, bytes from runs;
      insert into event_ranges values (10, 2, 1), (12, 1, 10), (13, 2, 3);
      insert into events select n.value, iif(n.value = 12, 1, 2), n.value, 1, 1, '{}' from json_each('[10,11,12,13]') n;
      delete from runs where id = 1`);
    expect(db.prepare('select id from events').pluck().all()).toEqual([10, 11, 13]);
  });

  test('an id begins once in a run, and an update is delivered to a target once', () => {
    for (const table of ['sessions', 'turns', 'gates'])
      expect(() => db.exec(`insert into ${table} select * from ${table}`)).toThrow(/UNIQUE/);
    const add = db.prepare(
      `insert into deliveries (event_id, run_id, target, subject, state, attempts, queued_at, next_at, key)
       values (6, 1, ?, 'update', 'queued', 0, 1, 1, ?)`,
    );
    add.run('other', 'a');
    expect(() => add.run('hook', 'b')).toThrow(/UNIQUE/);
  });

  test('a rule cannot be for a run that does not exist', () => {
    expect(() => db.exec('update permission_rules set run_id = 77')).toThrow(/FOREIGN KEY/);
  });
});

test.each([
  [
    "select gate_id from gates where kind = 'permission' order by opened_event desc limit 9",
    'gates_permission',
  ],
  [
    "select count(*), max(closed_at) from gates where answered_by = 'rule ' || 'X' and substr(answered_by, 1, 5) = 'rule '",
    'gates_by_rule',
  ],
  [
    "select min(run_id) from deliveries where target = 'a' and closed_at is null and run_id > 3",
    'deliveries_open',
  ],
  ["select event_id from updates where step_id = 'a' order by event_id desc limit 9", 'updates_by_step'],
  ["select event_id from updates where agent = 'a' order by event_id desc limit 9", 'updates_by_agent'],
])('the query %s is read from the index %s', (sql, index) => {
  expect(plan(sql)).toMatch(new RegExp(`using (covering )?index ${index}`, 'i'));
});

test('the migration 0001 is unchanged since its release: make the next one', () => {
  const schema = reading(
    db,
    z.object({ sql: z.string() }),
    'select sql from sqlite_schema where sql is not null',
  );
  const text = schema
    .all()
    .map(({ sql }) => sql)
    .join('\n');
  expect(createHash('sha256').update(text).digest('hex')).toMatchInlineSnapshot(
    `"0269af25d1534f82cfa642ba34f95b7c8362e57d864be7f75fcd795d91be4506"`,
  );
});

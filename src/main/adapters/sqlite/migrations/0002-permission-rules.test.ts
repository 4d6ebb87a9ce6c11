import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { connect } from '../connection';
import { type Db, reading } from '../sql';
import { olderDatabase } from '../testing/older';
import { Place } from '../testing/place';
import { runsMigration } from './0001-runs';
import { permissionRulesMigration } from './0002-permission-rules';
import { migrate, versionOf } from './migrate';

let place: Place;
let db: Db;
beforeEach(() => {
  place = new Place();
  olderDatabase(place.path, 1);
  db = connect(place.path);
});
afterEach(() => {
  db.close();
  place.remove();
});

const upgrade = () => migrate(db, [runsMigration, permissionRulesMigration]);
const planSchema = z.object({ detail: z.string() });
const plan = (sql: string) =>
  reading(db, planSchema, `explain query plan ${sql}`)
    .all()
    .map(({ detail }) => detail)
    .join('\n');

test('a database of version 1 keeps its rows, and its gates learn their kind', () => {
  const asked = JSON.stringify({ kind: 'permission', title: 'Edit it', request: null });
  db.exec(`
    insert into event_types (name) values ('filler');
    insert into events (id, run_id, seq, at, type, body)
      select max(id) + 1, 1, max(seq) + 1, 1, (select id from event_types where name = 'gate.opened'), '${asked}'
      from events where run_id = 1;
    insert into gates (run_id, gate_id, opened_event, status, opened_at)
      select 1, 2, max(id), 'open', 1 from events;`);
  const rows = z.object({ gate_id: z.number(), status: z.string() });
  const before = reading(db, rows, 'select gate_id, status from gates order by gate_id').all();
  upgrade();
  expect(versionOf(db)).toBe(2);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(reading(db, rows, 'select gate_id, status from gates order by gate_id').all()).toEqual(before);
  const kinds = reading(db, z.object({ kind: z.string() }), 'select kind from gates order by gate_id').all();
  expect(kinds).toEqual([{ kind: 'approval' }, { kind: 'permission' }]);
});

test('the newest requests, and the answers of a rule, are read from an index', () => {
  upgrade();
  expect(
    plan("select gate_id from gates where kind = 'permission' order by opened_event desc limit 9"),
  ).toMatch(/using (covering )?index gates_permission/i);
  const uses = `select count(*), max(closed_at) from gates
    where answered_by = 'rule ' || 'X' and substr(answered_by, 1, 5) = 'rule '`;
  expect(plan(uses)).toMatch(/using (covering )?index gates_by_rule/i);
});

test('the rules of a run are removed with it, and a rule cannot be for a run that does not exist', () => {
  upgrade();
  db.pragma('foreign_keys = ON');
  const add = (id: string, runId: number) =>
    db
      .prepare(
        `insert into permission_rules (id, agent, tool, effect, reason, scope, run_id, created_at, created_by)
         values (?, '*', '*', 'allow', '', 'run', ?, 1, 'operator')`,
      )
      .run(id, runId);
  add('a', 1);
  expect(() => add('b', 77)).toThrow(/FOREIGN KEY/);
  db.exec('delete from runs where id = 1');
  expect(db.prepare('select count(*) as n from permission_rules').get()).toEqual({ n: 0 });
});

test('the migration 0002 is unchanged since its release: make the next one', () => {
  upgrade();
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
    `"7288d7abe7e0872b327c8ef5ce4a6da0fbfa67e7ee169ea1b750853f3db359f5"`,
  );
});

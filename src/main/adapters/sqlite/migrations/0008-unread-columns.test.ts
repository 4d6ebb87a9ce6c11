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
  olderDatabase(place.path, 7);
  db = connect(place.path);
});
afterEach(() => {
  db.close();
  place.remove();
});

const upgrade = () =>
  migrate(
    db,
    MIGRATIONS.filter(({ version }) => version <= 8),
  );
const rowsOf = (table: string) => db.prepare(`select * from ${table}`).all();

test('a database of version 7 keeps what is read of activations, sessions, turns and commands', () => {
  db.exec(`
    update sessions set cwd = '/work';
    insert into commands (run_id, command_id, activation_id, status, started_at) values (1, 3, 1, 'running', 5);`);
  const events = rowsOf('events');
  upgrade();
  expect(versionOf(db)).toBe(8);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(rowsOf('events')).toEqual(events);
  expect(rowsOf('activations')).toEqual([
    { run_id: 1, activation_id: 1, step_id: 'write' },
    { run_id: 1, activation_id: 2, step_id: 'review' },
  ]);
  expect(rowsOf('sessions')).toEqual([{ run_id: 1, session_id: 1, profile_id: 'writer', cwd: '/work' }]);
  expect(rowsOf('turns')).toEqual([
    { run_id: 1, turn_id: 1, activation_id: 1, session_id: 1, started_at: 1_700_000_000_003 },
  ]);
  expect(rowsOf('commands')).toEqual([{ run_id: 1, command_id: 3 }]);
  expect(rowsOf('terminals')).toHaveLength(1);
});

test('the rows of a run are still removed with it, and an id still begins once', () => {
  upgrade();
  db.pragma('foreign_keys = ON');
  expect(() => db.exec('insert into turns select * from turns')).toThrow('UNIQUE');
  db.exec('insert into commands values (1, 3); delete from gates; delete from runs where id = 1;');
  for (const table of ['activations', 'sessions', 'turns', 'commands', 'terminals'])
    expect(rowsOf(table)).toEqual([]);
});

test('the migration 0008 is unchanged since its release: make the next one', () => {
  upgrade();
  const schema = reading(
    db,
    z.object({ sql: z.string() }),
    `select sql from sqlite_schema where sql is not null
       and tbl_name in ('activations', 'sessions', 'turns', 'commands', 'artifacts', 'terminal_lengths')`,
  );
  const text = schema
    .all()
    .map(({ sql }) => sql)
    .join('\n');
  expect(createHash('sha256').update(text).digest('hex')).toMatchInlineSnapshot(
    `"5b6e09cbb89763782784a27c15b699f5fa56cc5a3081e82d3cc8c4eb02d2fad3"`,
  );
});

import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { connect } from '../connection';
import { type Db, reading } from '../sql';
import { olderDatabase } from '../testing/older';
import { Place } from '../testing/place';
import { runsMigration } from './0001-runs';
import { APPLICATION_ID, migrate, versionOf } from './migrate';

let place: Place;
let db: Db;
beforeEach(() => {
  place = new Place();
  olderDatabase(place.path, 0);
  db = connect(place.path);
});
afterEach(() => {
  db.close();
  place.remove();
});

const tableSchema = z.object({ name: z.string(), type: z.string(), strict: z.number() });

test('an empty database is brought to version 1', () => {
  expect(versionOf(db)).toBe(0);
  migrate(db, [runsMigration]);
  expect(versionOf(db)).toBe(1);
  expect(db.pragma('application_id', { simple: true })).toBe(APPLICATION_ID);
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
});

test('every table is strict', () => {
  migrate(db, [runsMigration]);
  const tables = reading(db, tableSchema, 'pragma table_list')
    .all()
    .filter(({ name }) => !name.startsWith('sqlite_'));
  const own = tables.filter(({ type }) => type === 'table');
  expect(own.filter(({ strict }) => strict === 0)).toEqual([]);
  expect(own.map(({ name }) => name).sort()).toEqual([
    'activations',
    'agent_profiles',
    'artifacts',
    'commands',
    'event_types',
    'events',
    'gates',
    'meta',
    'projects',
    'runs',
    'sessions',
    'settings',
    'turns',
    'updates',
  ]);
  expect(
    tables
      .filter(({ type }) => type === 'virtual')
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['search']);
});

test('a stored event cannot be changed', () => {
  olderDatabase(place.path, 1);
  expect(() => db.exec('update events set type = 2')).toThrow('an event is never changed');
});

test('the migration 0001 is unchanged since its release: make the next one', () => {
  migrate(db, [runsMigration]);
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
    `"6edabad4df1d65cd46593e751da7c9bdc7e240f9af0fe5857bb47be9e61513a8"`,
  );
});

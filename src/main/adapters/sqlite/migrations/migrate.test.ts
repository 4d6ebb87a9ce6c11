import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { olderDatabase } from '../testing/older';
import { Place } from '../testing/place';
import { MIGRATIONS } from './index';
import type { Migration } from './migration';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const latest = MIGRATIONS.length;
const next: Migration = {
  version: latest + 1,
  up: (db) => db.exec('alter table runs add column color text; update runs set color = name'),
};
const broken: Migration = {
  version: latest + 2,
  up: (db) => db.exec("update runs set color = 'lost'; insert into event_ranges values (900, 77, 1)"),
};

function look(path: string): { version: unknown; runs: unknown } {
  const db = new Database(path, { readonly: true });
  const found = {
    version: db.pragma('user_version', { simple: true }),
    runs: db.prepare('select * from runs').all(),
  };
  db.close();
  return found;
}

test('the numbers of the migrations have no gap', () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

describe('an older database', () => {
  test('an older database is copied, then migrated, and the operator is told where the copy is', () => {
    olderDatabase(place.path, latest);
    const before = look(place.path);
    const store = place.open({ migrations: [...MIGRATIONS, next] });
    const copy = place.files().find((file) => file.endsWith('.bak')) ?? '';
    expect(store.notices).toMatchObject([{ level: 'info' }]);
    expect(store.notices[0]?.text).toContain(copy);
    store.close();
    expect(look(`${place.folder}/${copy}`)).toEqual(before);
    expect(look(place.path)).toMatchObject({ version: latest + 1, runs: [{ color: 'sample' }] });
  });

  test('an older database stays as it was where a migration fails', () => {
    olderDatabase(place.path, latest);
    const before = look(place.path);
    const opened = place.tryOpen({
      migrations: [...MIGRATIONS, { ...broken, version: latest + 1, up: next.up }, broken],
    });
    expect(opened).toMatchObject({ ok: false, error: { code: 'store.failed' } });
    if (!opened.ok)
      expect(opened.error.message).toContain(`version ${latest + 2}: 1 references lead nowhere`);
    // Each migration is committed separately, so the first stays.
    expect(look(place.path)).toMatchObject({ version: latest + 1, runs: [{ color: 'sample' }] });
    expect(before.version).toBe(latest);
  });

  test('a new database is not copied', () => {
    expect(place.open({ migrations: [...MIGRATIONS, next] }).notices).toEqual([]);
    expect(place.files().filter((file) => file.endsWith('.bak'))).toEqual([]);
  });
});

test('a database of every released version can be read', () => {
  for (let version = 1; version <= latest; version++) {
    const path = `${place.folder}/version-${version}.db`;
    olderDatabase(path, version);
    const store = place.open({ path });
    const { rows } = store.runs({ limit: 10, binned: false });
    expect(rows.map(({ uid, status, stepsDone }) => ({ uid, status, stepsDone }))).toEqual([
      { uid: '01SAMPLE', status: 'waiting', stepsDone: 1 },
    ]);
    expect([...store.log.read(1)].map(({ event }) => event.type)).toEqual([
      'run.started',
      'activation.started',
      'session.starting',
      'turn.dispatched',
      'turn.finished',
      'update.posted',
      'activation.finished',
      'activation.started',
      'gate.opened',
    ]);
    expect(
      store.gates({ status: 'open', limit: 10 }).map(({ stepId, title }) => ({ stepId, title })),
    ).toEqual([{ stepId: 'review', title: 'Approve the report' }]);
    expect(store.feed({ limit: 10 }).rows.map(({ update }) => update.summary)).toEqual([
      ['All of it is written.'],
    ]);
    store.close();
  }
});

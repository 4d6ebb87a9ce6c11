import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../connection';
import type { Db } from '../sql';
import { olderDatabase } from '../testing/older';
import { Place } from '../testing/place';
import { MIGRATIONS } from './index';
import { migrate, versionOf } from './migrate';

let place: Place;
let db: Db;
beforeEach(() => {
  place = new Place();
  olderDatabase(place.path, 5);
  db = connect(place.path);
});
afterEach(() => {
  db.close();
  place.remove();
});

test('questions and messages that the index had passed are found, and later ones are left to it', () => {
  db.exec("insert or ignore into event_types (name) values ('gate.opened'), ('team.message')");
  const add = db.prepare(
    `insert into events (id, run_id, seq, at, type, body)
     values (?, 1, ?, 1, (select id from event_types where name = ?), ?)`,
  );
  add.run(500, 500, 'gate.opened', JSON.stringify({ title: 'Publish', message: 'the walrus' }));
  add.run(501, 501, 'team.message', JSON.stringify({ text: 'a walrus for ben' }));
  db.exec(
    "insert into meta (name, value) values ('search_cursor', 501) on conflict do update set value = 501",
  );
  add.run(502, 502, 'team.message', JSON.stringify({ text: 'a later walrus' }));
  migrate(
    db,
    MIGRATIONS.filter(({ version }) => version <= 6),
  );
  expect(versionOf(db)).toBe(6);
  expect(db.prepare("select rowid from search where search match 'walrus' order by rowid").all()).toEqual([
    { rowid: 500 },
    { rowid: 501 },
  ]);
  expect(db.prepare('select rowid from search where search match ?').all('\u{e002} walrus')).toEqual([
    { rowid: 500 },
  ]);
});

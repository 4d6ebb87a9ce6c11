import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dropUnfinished, fittingBackup, listBackups } from '../opening/backup-files';
import { Place } from '../testing/place';
import { backUpOnline } from './online-backup';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const settingIn = (path: string, key: string): unknown => {
  const db = new Database(path, { readonly: true });
  const value = db.prepare('select value from settings where key = ?').pluck().get(key);
  db.close();
  return value;
};

test('a backup of a database in use holds all that was committed before it, in one private file', async () => {
  const store = place.open();
  store.setSetting('before', 1);
  const target = join(place.folder, 'kept', 'one.db');
  await backUpOnline({ path: place.path, target, artifacts: null });
  store.setSetting('after', 1);
  expect(settingIn(target, 'before')).toBe('1');
  expect(settingIn(target, 'after')).toBeUndefined();
  expect(readdirSync(join(place.folder, 'kept'))).toEqual(['one.db']);
  if (process.platform !== 'win32') expect(statSync(target).mode & 0o777).toBe(0o600);
});

test('commits during a backup neither wait for it nor start it again', async () => {
  const store = place.open();
  for (let key = 0; key < 400; key += 1) store.setSetting(`key ${key}`, 'x'.repeat(20_000));
  let steps = 0;
  let commits = 0;
  await backUpOnline({
    path: place.path,
    target: join(place.folder, 'one.db'),
    artifacts: null,
    stepped: () => {
      steps += 1;
      commits += 1;
      store.setSetting('during', commits);
    },
  });
  // 400 pages of 20 kB are more than one step. A backup that starts again at each commit would never end.
  expect(steps).toBeGreaterThan(1);
  expect(store.setting('during')).toBe(commits);
  expect(settingIn(join(place.folder, 'one.db'), 'during')).toBeUndefined();
});

test('a backup never replaces a file, and leaves nothing where it fails', async () => {
  place.open();
  const target = join(place.folder, 'one.db');
  writeFileSync(target, 'mine');
  await expect(backUpOnline({ path: place.path, target, artifacts: null })).rejects.toThrow('already exists');
  expect(readFileSync(target, 'utf8')).toBe('mine');
  const missing = join(place.folder, 'none.db');
  await expect(
    backUpOnline({ path: missing, target: join(place.folder, 'two.db'), artifacts: null }),
  ).rejects.toThrow();
  expect(place.files().filter((name) => name.startsWith('two'))).toEqual([]);
});

test('a backup with artifacts is a folder with the database and the files of the runs', async () => {
  place.open().setSetting('kept', true);
  const artifacts = join(place.folder, 'artifacts');
  mkdirSync(join(artifacts, 'run'), { recursive: true });
  writeFileSync(join(artifacts, 'run', 'output.log'), 'said');
  const target = join(place.folder, 'muster.db.backups', 'whole.backup');
  await backUpOnline({ path: place.path, target, artifacts });
  expect(settingIn(join(target, 'muster.db'), 'kept')).toBe('true');
  expect(readFileSync(join(target, 'artifacts', 'run', 'output.log'), 'utf8')).toBe('said');
  expect(listBackups(place.path)).toMatchObject([
    { path: target, kind: 'manual', artifacts: true, version: 1 },
  ]);
});

test('the list of backups tells automatic, manual and migration copies, and the newest one that fits', async () => {
  place.open();
  const folder = join(place.folder, 'muster.db.backups');
  for (const name of ['auto-1.db', 'muster-2.db'])
    await backUpOnline({ path: place.path, target: join(folder, name), artifacts: null });
  await backUpOnline({ path: place.path, target: `${place.path}.v1-20260101T000000Z.bak`, artifacts: null });
  writeFileSync(join(folder, 'torn.db'), 'not a database');
  writeFileSync(join(folder, 'auto-3.db.part'), '');
  expect(new Set(listBackups(place.path).map(({ kind }) => kind))).toEqual(
    new Set(['automatic', 'manual', 'migration']),
  );
  expect(listBackups(place.path)).toHaveLength(4);
  expect(fittingBackup(place.path, 1)?.version).toBe(1);
  expect(fittingBackup(place.path, 0)).toBeNull();
  dropUnfinished(place.path);
  expect(existsSync(join(folder, 'auto-3.db.part'))).toBe(false);
  expect(listBackups(place.path)).toHaveLength(4);
});

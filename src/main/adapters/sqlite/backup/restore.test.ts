import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { MIGRATIONS } from '../migrations/index';
import { bundle } from '../testing/bundle';
import { gone, startChild } from '../testing/child';
import { olderDatabase } from '../testing/older';
import { Place } from '../testing/place';
import { backUpOnline } from './online-backup';
import { type RestoreOptions, restoreDatabase } from './restore';

let place: Place;
let restorer: { file: string; remove: () => void };
beforeAll(async () => {
  restorer = await bundle(new URL('../testing/restorer.ts', import.meta.url));
});
afterAll(() => restorer.remove());
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const backup = () => join(place.folder, 'kept.db');
const artifacts = () => join(place.folder, 'artifacts');
const restore = (more: Partial<RestoreOptions> = {}) =>
  restoreDatabase({ path: place.path, from: backup(), artifacts: artifacts(), ...more });

/** A database that says `old`, a backup of it, and then says `new`. */
async function oldAndNew(): Promise<void> {
  const store = place.open();
  store.setSetting('said', 'old');
  await backUpOnline({ path: place.path, target: backup(), artifacts: null });
  store.setSetting('said', 'new');
  store.close();
}

test('a restored backup is in use at the next start, and the database before it is kept', async () => {
  await oldAndNew();
  const restored = restore();
  if (!restored.ok) throw new Error(restored.error.message);
  const kept = restored.value.kept ?? '';
  expect(kept).toContain('.before-restore-');
  const store = place.open();
  expect(store.setting('said')).toBe('old');
  expect(store.notices).toEqual([]);
  store.close();
  // It is a database like any other, and can be restored as well.
  expect(restore({ from: kept })).toMatchObject({ ok: true });
  expect(place.open().setting('said')).toBe('new');
});

test('a restore is refused while a core uses the database', async () => {
  await oldAndNew();
  const store = place.open();
  expect(restore()).toMatchObject({ ok: false, error: { code: 'store.locked' } });
  expect(store.setting('said')).toBe('new');
});

test('commits that are still in the write-ahead log are part of the database that is kept', async () => {
  await oldAndNew();
  const db = new Database(place.path);
  db.pragma('wal_autocheckpoint = 0');
  db.prepare("update settings set value = '\"newest\"' where key = 'said'").run();
  const wal = readFileSync(`${place.path}-wal`);
  const main = readFileSync(place.path);
  db.close();
  // As a killed core leaves it.
  writeFileSync(place.path, main);
  writeFileSync(`${place.path}-wal`, wal);
  const restored = restore();
  expect(place.open().setting('said')).toBe('old');
  const kept = new Database(restored.ok ? (restored.value.kept ?? '') : '', { readonly: true });
  expect(kept.prepare("select value from settings where key = 'said'").pluck().get()).toBe('"newest"');
  kept.close();
});

test.each(MIGRATIONS.map(({ version }) => version))(
  'a backup of schema version %i is restored, and brought to the latest version at the next start',
  async (version) => {
    olderDatabase(place.path, version);
    await backUpOnline({ path: place.path, target: backup(), artifacts: null });
    expect(restore()).toMatchObject({ ok: true, value: { version } });
    const store = place.open();
    expect(store.runs({ limit: 9, binned: false }).rows.length).toBeGreaterThan(0);
  },
);

test('a backup of a newer Muster is refused, and the backup that fits is named', async () => {
  await oldAndNew();
  const fitting = join(place.folder, 'muster.db.backups', 'auto-1.db');
  await backUpOnline({ path: place.path, target: fitting, artifacts: null });
  const db = new Database(backup());
  db.pragma(`user_version = ${MIGRATIONS.length + 1}`);
  db.close();
  const refused = restore();
  expect(refused).toMatchObject({ ok: false, error: { code: 'store.newer' } });
  expect(refused.ok ? '' : refused.error.mend).toContain(`muster restore "${fitting}"`);
  // So is the newer database itself, when it is in use.
  const current = new Database(place.path);
  current.pragma(`user_version = ${MIGRATIONS.length + 1}`);
  current.close();
  const opened = place.tryOpen();
  expect(opened.ok ? '' : opened.error.mend).toContain(`muster restore "${fitting}"`);
  expect(restore({ from: fitting })).toMatchObject({ ok: true });
  expect(place.open().setting('said')).toBe('new');
});

test('a damaged, foreign or missing backup is refused, and changes nothing', async () => {
  await oldAndNew();
  const bytes = readFileSync(backup());
  bytes.fill(7, 4096, bytes.length);
  writeFileSync(backup(), bytes);
  expect(restore()).toMatchObject({ ok: false, error: { code: 'store.damaged' } });
  const foreign = join(place.folder, 'foreign.db');
  const db = new Database(foreign);
  db.exec('create table a (b)');
  db.close();
  expect(restore({ from: foreign })).toMatchObject({ ok: false, error: { code: 'store.failed' } });
  expect(restore({ from: join(place.folder, 'none') })).toMatchObject({
    ok: false,
    error: { code: 'not_found' },
  });
  expect(restore({ from: place.path })).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
  expect(place.files().filter((name) => /restor/.test(name))).toEqual([]);
  expect(place.open().setting('said')).toBe('new');
});

test('a damaged database is replaced, and kept with its write-ahead log', async () => {
  await oldAndNew();
  writeFileSync(place.path, 'torn');
  writeFileSync(`${place.path}-wal`, 'its log');
  const restored = restore();
  const kept = restored.ok ? (restored.value.kept ?? '') : '';
  expect(readFileSync(kept, 'utf8')).toBe('torn');
  expect(readFileSync(`${kept}-wal`, 'utf8')).toBe('its log');
  expect(place.open().setting('said')).toBe('old');
});

test('artifacts of a backup are added, and files that are there stay', async () => {
  const store = place.open();
  mkdirSync(join(artifacts(), 'run'), { recursive: true });
  for (const name of ['one', 'two']) writeFileSync(join(artifacts(), 'run', name), 'old');
  const from = join(place.folder, 'whole.backup');
  await backUpOnline({ path: place.path, target: from, artifacts: artifacts() });
  store.close();
  writeFileSync(join(artifacts(), 'run', 'one'), 'new');
  const moved = join(place.folder, 'elsewhere');
  mkdirSync(join(moved, 'run'), { recursive: true });
  writeFileSync(join(moved, 'run', 'one'), 'new');
  expect(restore({ from, artifacts: moved })).toMatchObject({ ok: true });
  expect(readFileSync(join(moved, 'run', 'one'), 'utf8')).toBe('new');
  expect(readFileSync(join(moved, 'run', 'two'), 'utf8')).toBe('old');
});

/** Kills a restore at a step. Returns the steps that it reached. */
async function killedAt(step: string): Promise<string[]> {
  const child = startChild(restorer.file, [place.path, backup(), artifacts(), step]);
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += String(chunk);
    if (output.includes(`${step}\n`)) child.kill('SIGKILL');
  });
  await gone(child);
  return output.trim().split('\n');
}

test.each([
  ['copied', 'new'],
  ['checked', 'new'],
  ['artifacts', 'new'],
  ['settled', 'new'],
  ['kept', 'new'],
  ['replaced', 'old'],
])('a restore that is killed when it has %s leaves one whole database in use', async (step, said) => {
  await oldAndNew();
  expect((await killedAt(step)).at(-1)).toBe(step);
  const store = place.open();
  expect(store.notices).toEqual([]);
  expect(store.setting('said')).toBe(said);
  expect(existsSync(`${place.path}.restoring`)).toBe(false);
  store.close();
  // The next restore begins again, and the leftovers of the killed one do not disturb it.
  expect(restore()).toMatchObject({ ok: true });
  expect(place.open().setting('said')).toBe('old');
});

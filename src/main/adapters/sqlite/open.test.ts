import { existsSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UNRELEASED_ID } from './migrations/migrate';
import { takeLease } from './opening/lease';
import { bundle } from './testing/bundle';
import { firstLine, gone, startChild } from './testing/child';
import { codeOf, must, Place } from './testing/place';
import { started, Teller } from './testing/story';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

/** A closed store with some content. */
async function written(runs = 1): Promise<void> {
  const store = place.open();
  const projectId = store.addProject('/projects/sample', 'sample', 1).id;
  for (let n = 1; n <= runs; n++) {
    must(
      await new Teller(store).tell({
        ...started({ uid: `run-${n}`, projectId, name: `run ${n}` }),
        instruction: 'x'.repeat(1_000),
      }),
    );
  }
  store.close();
}

function pragma(statement: string): unknown {
  const db = new Database(place.path);
  const value = db.pragma(statement, { simple: true });
  db.close();
  return value;
}

describe('a new database', () => {
  test('a new database is made with its folder, for this user alone', () => {
    const path = join(place.folder, 'deep', 'er', 'muster.db');
    const store = place.open({ path });
    expect(store.path).toBe(path);
    expect(store.notices).toEqual([]);
    if (process.platform === 'win32') return;
    for (const ending of ['', '-wal', '-shm', '.lease'])
      expect(statSync(path + ending).mode & 0o777).toBe(0o600);
    expect(statSync(join(place.folder, 'deep')).mode & 0o777).toBe(0o700);
  });

  test('a new database uses a write-ahead log and leaves no other files', () => {
    const store = place.open();
    store.close();
    expect(pragma('journal_mode')).toBe('wal');
    expect(place.files()).toEqual(['muster.db', 'muster.db.lease', 'muster.db.lease-journal']);
  });

  test('an empty file counts as no database', () => {
    writeFileSync(place.path, '');
    expect(place.open().notices).toEqual([]);
  });

  test('a database in an impossible place is refused', () => {
    writeFileSync(join(place.folder, 'file'), '');
    const opened = place.tryOpen({ path: join(place.folder, 'file', 'muster.db') });
    expect(codeOf(opened)).toBe('store.failed');
  });
});

test('a store that is opened again has what was written', async () => {
  await written(3);
  const store = place.open();
  expect(store.runs({ limit: 10, binned: false }).rows.map(({ uid }) => uid)).toEqual([
    'run-3',
    'run-2',
    'run-1',
  ]);
  expect([store.log.nextRunId(), store.lastEventId()]).toEqual([4, 3]);
});

describe('a newer database', () => {
  test('a newer database is refused and left as it is, byte for byte', async () => {
    await written();
    pragma('user_version = 99');
    pragma('journal_mode = delete');
    const before = place.bytes();
    const opened = place.tryOpen();
    expect(opened).toMatchObject({ ok: false, error: { code: 'store.newer', where: { file: place.path } } });
    expect(place.bytes().equals(before)).toBe(true);
    expect(place.files()).toEqual(['muster.db', 'muster.db.lease', 'muster.db.lease-journal']);
  });

  test('a newer database is refused also where only its -wal says so', async () => {
    await written();
    // The state after a newer Muster was killed just after its migration.
    const newer = new Database(place.path);
    newer.pragma('user_version = 99');
    const [main, wal] = ['', '-wal'].map((ending) => readFileSync(place.path + ending));
    newer.close();
    writeFileSync(place.path, main ?? '');
    writeFileSync(`${place.path}-wal`, wal ?? '');
    expect(codeOf(place.tryOpen())).toBe('store.newer');
    expect(place.bytes().equals(main ?? Buffer.of())).toBe(true);
    expect(place.bytes('muster.db-wal').equals(wal ?? Buffer.of())).toBe(true);
  });
});

test('a database from before the first release is refused with what to do, and left as it is', async () => {
  await written();
  pragma(`application_id = ${UNRELEASED_ID}`);
  pragma('user_version = 8');
  pragma('journal_mode = delete');
  const before = place.bytes();
  const opened = place.tryOpen();
  expect(opened).toMatchObject({
    ok: false,
    error: { code: 'store.failed', message: expect.stringContaining('before Muster 0.1.0') },
  });
  expect(place.bytes().equals(before)).toBe(true);
});

test("another program's database is refused and left as it is", () => {
  const other = new Database(place.path);
  other.exec('create table bookmarks (id integer primary key)');
  other.close();
  const before = place.bytes();
  expect(codeOf(place.tryOpen())).toBe('store.failed');
  expect(place.bytes().equals(before)).toBe(true);
});

test('a file that is no database, and never was one of Muster, is refused and left as it is', () => {
  for (const text of ['notes', 'long notes\n'.repeat(1_000)]) {
    writeFileSync(place.path, text);
    for (let attempt = 0; attempt < 2; attempt += 1) expect(codeOf(place.tryOpen())).toBe('store.failed');
    expect(place.bytes().toString()).toBe(text);
  }
});

describe('setting a damaged database aside', () => {
  const asideOf = (): string[] => place.files().filter((file) => /\.damaged-[^-]+(-\d)?(-wal)?$/.test(file));

  test.each([
    ['its first bytes', 0],
    ['pages in its middle', 40_000],
  ])('a damaged database is set aside where %s were overwritten', async (_, from) => {
    await written(100);
    const damagedBytes = place.bytes();
    damagedBytes.fill(0x5a, from, from + 9_000);
    writeFileSync(place.path, damagedBytes);
    const store = place.open();
    expect(store.notices).toMatchObject([{ level: 'error' }]);
    expect(store.runs({ limit: 1, binned: false }).rows).toEqual([]);
    store.addProject('/projects/sample', 'sample', 1);
    store.close();
    expect(place.bytes(asideOf()[0]).equals(damagedBytes)).toBe(true);
    expect(store.notices[0]?.text).toContain(asideOf()[0]);
    expect(place.open().notices).toEqual([]);
  });

  test('a damaged database is set aside where it was cut off', async () => {
    await written(100);
    truncateSync(place.path, 50_000);
    expect(place.open().notices).toHaveLength(1);
    expect(statSync(join(place.folder, asideOf()[0] ?? '')).size).toBe(50_000);
  });

  test('a damaged database is set aside with its -wal, which it needs', async () => {
    await written();
    writeFileSync(place.path, 'no database at all'.repeat(100));
    writeFileSync(`${place.path}-wal`, 'the -wal');
    expect(place.open().notices).toHaveLength(1);
    const [aside] = asideOf();
    expect(place.bytes(`${aside}-wal`).toString()).toBe('the -wal');
  });

  test('a second damaged database does not take the name of the first', () => {
    const now = (): number => 1_700_000_000_000;
    place.open({ now }).close();
    for (const text of ['first', 'second']) {
      writeFileSync(place.path, text.repeat(200));
      place.open({ now }).close();
    }
    expect(asideOf()).toEqual(['muster.db.damaged-20231114T221320Z', 'muster.db.damaged-20231114T221320Z-2']);
    expect(asideOf().map((file) => place.bytes(file).toString().slice(0, 6))).toEqual(['firstf', 'second']);
  });
});

describe('one core at a time', () => {
  let holder: { file: string; remove: () => void };
  beforeAll(async () => {
    holder = await bundle(new URL('./testing/holder.ts', import.meta.url));
  });
  afterAll(() => holder.remove());

  test('a second core is told who has the database, also by another way to the same file', async () => {
    const child = startChild(holder.file, [place.path]);
    expect(JSON.parse(await firstLine(child))).toEqual({ ok: true });
    const other = join(place.folder, 'link.db');
    symlinkSync(place.path, other);
    for (const path of [place.path, other]) {
      const opened = place.tryOpen({ path });
      expect(codeOf(opened)).toBe('store.locked');
      if (!opened.ok) expect(opened.error.message).toContain(`process ${child.pid} on `);
    }
    child.stdin?.write('close\n');
    await gone(child);
    place.open();
  });

  test('a killed core leaves no lease behind', async () => {
    const child = startChild(holder.file, [place.path]);
    await firstLine(child);
    child.kill('SIGKILL');
    await gone(child);
    expect(place.open().notices).toEqual([]);
  });

  test('a process keeps the lease when it requests it for a second time', async () => {
    place.open();
    expect(codeOf(place.tryOpen())).toBe('store.locked');
    const child = startChild(holder.file, [place.path]);
    expect(JSON.parse(await firstLine(child))).toMatchObject({ ok: false, error: { code: 'store.locked' } });
    await gone(child);
  });
});

test('a store that found damage is checked at the next start', async () => {
  await written(100);
  const lease = must(takeLease(place.path, { now: 1, boot: 1 }));
  expect(lease.past).toMatchObject({
    shutdown: { bytes: expect.any(Number) },
    checkedAt: expect.any(Number),
  });
  lease.release('damaged');
  const after = must(takeLease(place.path, { now: 1, boot: 1 }));
  expect(after.past).toMatchObject({ shutdown: null, checkedAt: null });
  after.release('crashed');
});

test('a database that another program has locked is refused, and opens once it is free', async () => {
  await written();
  const other = new Database(place.path);
  other.exec('begin immediate');
  expect(codeOf(place.tryOpen())).toBe('store.locked');
  other.exec('rollback');
  other.close();
  expect(place.open().notices).toEqual([]);
  expect(existsSync(`${place.path}-wal`)).toBe(true);
});

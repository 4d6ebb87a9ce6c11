import { statSync, utimesSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../core/ports/store/store';
import { StoreFault } from './faults';
import { codeOf, must, Place } from './testing/place';
import { activation, session, started, Teller, turn, turnEnd } from './testing/story';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const PAGE = 4096;

/** A store in which the page with one run's events is overwritten, with the file's times preserved. */
async function damaged(): Promise<Store> {
  const whole = place.open();
  const projectId = whole.addProject('/projects/sample', 'sample', 1).id;
  for (let n = 1; n <= 100; n++)
    must(await new Teller(whole).tell(started({ uid: `run-${n}`, projectId, name: `run ${n}.` })));
  whole.close();
  const { mtimeMs } = statSync(place.path);
  const bytes = place.bytes();
  const at = bytes.indexOf('"uid":"run-50"');
  bytes.fill(0x5a, at - (at % PAGE), at - (at % PAGE) + 64);
  writeFileSync(place.path, bytes);
  // Rounded to the middle of its millisecond, which is what is compared.
  const changedAt = (Math.trunc(mtimeMs) + 0.5) / 1000;
  utimesSync(place.path, changedAt, changedAt);
  return place.open();
}

const faultOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (fault) {
    return fault;
  }
};

test('damage that is found while reading is reported until the next start, which sets the file aside', async () => {
  const store = await damaged();
  expect(store.notices).toEqual([]);
  expect(store.health().state).toBe('ok');
  const fault = faultOf(() => [...store.log.read(50)]);
  expect(fault).toBeInstanceOf(StoreFault);
  expect(fault).toMatchObject({ appError: { code: 'store.damaged' } });
  const telling = { state: 'failing', detail: expect.stringContaining('The database is damaged') };
  expect(store.health()).toMatchObject(telling);
  // A successful write of another page repairs nothing.
  store.setSetting('notes', 'n');
  expect(store.health()).toMatchObject(telling);
  store.close();
  expect(place.open().notices).toMatchObject([
    { level: 'error', text: expect.stringContaining('set aside') },
  ]);
});

test('a damaged search index is built again from the events, and nothing is set aside', async () => {
  const whole = place.open();
  const projectId = whole.addProject('/projects/sample', 'sample', 1).id;
  const words = [turn({ turnId: 1, prompt: 'Tell me.' }), turnEnd(1, 'It is a walrus.')];
  const beginning = [started({ uid: 'run-1', projectId }), activation(1, 'write'), session(1, 1)];
  must(await new Teller(whole).tell(...beginning, ...words));
  const found = (store: Store) => store.search({ text: 'walrus', limit: 5 }).hits.length;
  await expect.poll(() => found(whole), { timeout: 5000 }).toBe(1);
  whole.close();
  const db = new Database(place.path);
  db.unsafeMode(true);
  db.exec("update search_data set block = x'0102030405'");
  db.close();
  const again = place.open();
  expect(again.notices).toMatchObject([{ level: 'info', text: expect.stringContaining('built again') }]);
  await expect.poll(() => found(again), { timeout: 5000 }).toBe(1);
});

test('a damaged lock is named in the error, which says that nothing is lost with it', () => {
  writeFileSync(`${place.path}.lease`, 'no database at all'.repeat(100));
  const opened = place.tryOpen();
  expect(codeOf(opened)).toBe('store.failed');
  expect(opened).toMatchObject({
    error: {
      message: `The lock of the database is damaged: ${place.path}.lease.`,
      mend: expect.stringContaining('delete this file'),
    },
  });
});

import type { RunEvent } from '@contract/run/events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { connect } from './connection';
import { MIGRATIONS } from './migrations/index';
import { migrate } from './migrations/migrate';
import { type Db, reading } from './sql';
import { createStore } from './store';
import { must, Place } from './testing/place';
import { started, Teller, turn } from './testing/story';

const walSchema = z.object({ busy: z.number(), log: z.number(), checkpointed: z.number() });

let place: Place;
let db: Db;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  place = new Place();
  db = connect(place.path);
  migrate(db, MIGRATIONS);
});
afterEach(() => {
  place.remove();
  vi.useRealTimers();
});

const openWith = () =>
  createStore(db, { path: place.path, now: () => 1, notices: [], closed: () => undefined });
const left = (): number => {
  const row = reading(db, walSchema, 'pragma wal_checkpoint(noop)').get();
  return row === null ? 0 : row.log - row.checkpointed;
};

const large = (turnId: number): RunEvent => turn({ turnId, prompt: 'p'.repeat(500_000) });

test('a checkpoint comes when writing has paused, and only where it is worth it', async () => {
  const store = openWith();
  const projectId = store.addProject('/projects/sample', 'sample', 1).id;
  const teller = new Teller(store);
  must(await teller.tell(started({ uid: 'one', projectId })));
  vi.advanceTimersByTime(5_000);
  const small = left();
  expect(small).toBeGreaterThan(0);

  for (let id = 1; id <= 10; id++) {
    must(await teller.tell(large(id)));
    vi.advanceTimersByTime(600);
  }
  expect(left()).toBeGreaterThan(1_000);
  vi.advanceTimersByTime(2_500);
  expect(left()).toBe(0);
  store.close();
});

test('the log of events is synced to disk, and the word list is not', async () => {
  const store = openWith();
  const projectId = store.addProject('/projects/sample', 'sample', 1).id;
  must(await new Teller(store).tell(started({ uid: 'one', projectId })));
  vi.advanceTimersByTime(5_000);
  expect(store.search({ text: 'sample', limit: 1 }).hits).toHaveLength(1);
  expect(db.pragma('synchronous', { simple: true })).toBe(2);
  store.close();
});

test('a store leaves no timer behind after its close', () => {
  const store = openWith();
  expect(vi.getTimerCount()).toBe(1);
  store.addProject('/projects/sample', 'sample', 1);
  store.close();
  expect(vi.getTimerCount()).toBe(0);
  store.close();
});

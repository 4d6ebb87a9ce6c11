import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Store } from '../../../core/ports/store/store';
import { connect } from '../connection';
import { reading } from '../sql';
import { must, Place } from '../testing/place';
import { activation, started, Teller, timerFired } from '../testing/story';
import { afterPlace, EVENTS_AFTER_ID, EVENTS_AFTER_SEQ, EVENTS_OF_RUN, IN_ORDER } from './event-ranges';

let place: Place;
let store: Store;
let projectId: number;
beforeEach(() => {
  place = new Place();
  store = place.open();
  projectId = store.addProject('/projects/sample', 'sample', 1).id;
});
afterEach(() => place.remove());

let uids = 0;
async function newRun(): Promise<Teller> {
  const teller = new Teller(store);
  must(await teller.tell(started({ uid: `run-${++uids}`, projectId })));
  return teller;
}

const rangeSchema = z.object({ id: z.number(), run_id: z.number(), seq: z.number() });
function ranges(): number[][] {
  const db = connect(place.path);
  const rows = reading(db, rangeSchema, 'select * from event_ranges order by id').all();
  db.close();
  return rows.map(({ id, run_id, seq }) => [id, run_id, seq]);
}

test('a run that writes alone keeps one range', async () => {
  const teller = await newRun();
  for (let id = 1; id <= 20; id++) must(await teller.tell(activation(id, 'write')));
  expect(ranges()).toEqual([[1, 1, 1]]);
});

test('a range begins where another run wrote in between, also in one commit', async () => {
  const [one, two] = [await newRun(), await newRun()];
  await Promise.all([
    one.tell(timerFired(1), timerFired(2)),
    two.tell(timerFired(1)),
    one.tell(timerFired(3)),
  ]);
  must(await one.tell(timerFired(4)));
  expect(ranges()).toEqual([
    [1, 1, 1],
    [2, 2, 1],
    [3, 1, 2],
    [5, 2, 2],
    [6, 1, 4],
  ]);
});

test('a commit that fails leaves no range, and the next one begins it', async () => {
  const [one, two] = [await newRun(), await newRun()];
  const other = connect(place.path);
  other.exec('begin immediate');
  const append = one.next([timerFired(1)]);
  expect((await store.log.append(append)).ok).toBe(false);
  other.close();
  expect(ranges()).toHaveLength(2);
  must(await store.log.append(append));
  must(await two.tell(timerFired(1)));
  expect(ranges().slice(2)).toEqual([
    [3, 1, 2],
    [4, 2, 2],
  ]);
});

test('a run is found again after a restart, and after a run beside it is gone', async () => {
  const [one, gone] = [await newRun(), await newRun()];
  must(await one.tell(timerFired(1)));
  must(await gone.tell({ type: 'run.binned', by: 'operator' }));
  store.purgeRun(gone.runId);
  store.close();
  store = place.open();
  expect([...store.log.read(one.runId)].map(({ id, seq }) => [id, seq])).toEqual([
    [1, 1],
    [3, 2],
  ]);
  must(await store.log.append(one.next([timerFired(2)])));
  expect([...store.log.read(one.runId, 1)].map(({ id, seq }) => [id, seq])).toEqual([
    [3, 2],
    [5, 3],
  ]);
  expect(store.events({ afterId: 3, limit: 9, runId: one.runId }).map(({ id }) => id)).toEqual([5]);
});

const planSchema = z.object({ detail: z.string() });

test.each([
  ['after a place', `${EVENTS_AFTER_SEQ} ${IN_ORDER}`, afterPlace(1, 7)],
  ['after an id', `${EVENTS_AFTER_ID} ${IN_ORDER}`, afterPlace(1, 7)],
  ['of a run', `${EVENTS_OF_RUN} ${IN_ORDER}`, [1]],
])('the events %s are found by key and never sorted', (_, query, values) => {
  const db = connect(place.path);
  const plan = reading(db, planSchema, `explain query plan select e.id from ${query}`)
    .all(...values)
    .map(({ detail }) => detail)
    .join('\n');
  db.close();
  expect(plan).toContain('SEARCH e USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
  expect(plan).toMatch(/SEARCH g USING COVERING INDEX sqlite_autoindex_event_ranges_1 \(run_id=\?/);
  expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
});

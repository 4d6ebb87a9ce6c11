import type { RunEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import { unchecked } from '@contract/testing/unchecked';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Append } from '../../../core/ports/ports';
import type { Store } from '../../../core/ports/store/store';
import { connect } from '../connection';
import { codeOf, must, Place } from '../testing/place';
import { activation, activationEnd, runEnd, session, started, Teller, timerFired } from '../testing/story';
import { commitsIn } from '../testing/wal';

let place: Place;
let store: Store;
let projectId: number;

beforeEach(() => {
  place = new Place();
  store = place.open();
  projectId = store.addProject('/projects/sample', 'sample', 1).id;
});
afterEach(() => place.remove());

const timer = { type: 'timer.set', timerId: 1, activationId: 1, dueAt: 5, purpose: 'wait' } as const;

let uids = 0;
const begin = (name?: string): RunEvent => started({ uid: `run-${++uids}`, projectId, name });

async function newRun(): Promise<Teller> {
  const teller = new Teller(store);
  must(await teller.tell(begin()));
  return teller;
}

describe('append', () => {
  test('an append returns what was stored, and it can be read again', async () => {
    const teller = new Teller(store, 5);
    const first = must(await teller.tell(begin('first'), activation(1, 'write')));
    const second = must(await teller.tell(activationEnd(1)));
    const stored = [...first, ...second];
    expect(stored.map(({ id, runId, seq, at, event }) => [id, runId, seq, at, event.type])).toEqual([
      [1, 1, 1, 5, 'run.started'],
      [2, 1, 2, 6, 'activation.started'],
      [3, 1, 3, 7, 'activation.finished'],
    ]);
    expect([...store.log.read(teller.runId)]).toEqual(stored);
    expect([...store.log.read(teller.runId, 2)]).toEqual(second);
    expect(store.lastEventId()).toBe(3);
  });

  const unreadable: readonly [string, RunEvent][] = [
    ['a fraction of a millisecond', { ...timer, dueAt: 1.5 }],
    ['a number that JSON cannot hold', { ...timer, dueAt: Number.NaN }],
    ['a number that is too large', { ...timer, dueAt: 1e17 }],
    ['a missing field', unchecked<RunEvent>({ ...timer, purpose: undefined })],
  ];

  test.each(unreadable)('an append of an event with %s is refused and changes nothing', async (_, event) => {
    const teller = await newRun();
    const other = await newRun();
    const before = store.lastEventId();
    const [refused, written] = await Promise.all([
      teller.tell(activation(1, 'write'), event),
      other.tell(activation(1, 'write')),
    ]);
    expect(codeOf(refused)).toBe('store.invalid_event');
    expect(written.ok).toBe(true);
    expect(store.lastEventId()).toBe(before + 1);
    expect([...store.log.read(teller.runId)]).toHaveLength(1);
  });

  test('an append of an event of an unknown type is refused', async () => {
    const append = { runId: store.log.nextRunId(), expectedSeq: 0 };
    const event = begin();
    const unknown = unchecked<RunEvent>({ type: 'timer.unknown' });
    const state = reduce(null, { seq: 1, at: 0, event });
    const events = [event, unknown].map((one) => ({ at: 0, event: one }));
    expect(codeOf(await store.log.append({ ...append, events, state }))).toBe('store.invalid_event');
  });

  test('an append of events from a clock before 1970 is refused', async () => {
    const append = { runId: store.log.nextRunId(), expectedSeq: 0 };
    const event = begin();
    const state = reduce(null, { seq: 1, at: 0, event });
    const answer = await store.log.append({ ...append, events: [{ at: -1, event }], state });
    expect(codeOf(answer)).toBe('store.invalid_event');
  });

  test('all appends of one turn of the event loop are one transaction', async () => {
    const tellers = await Promise.all(Array.from({ length: 20 }, () => newRun()));
    const before = commitsIn(`${place.path}-wal`);
    const results = await Promise.all([
      ...tellers.map((teller) => teller.tell(activation(1, 'write'))),
      // Also those appended only after promises of this turn.
      Promise.resolve().then(() => tellers[0]?.tell(activation(2, 'review'))),
    ]);
    expect(results.map((result) => result?.ok)).toEqual(Array(21).fill(true));
    expect(commitsIn(`${place.path}-wal`) - before).toBe(1);
  });

  test('appends resolve in the order in which they were made', async () => {
    const tellers = await Promise.all(Array.from({ length: 10 }, () => newRun()));
    const order: number[] = [];
    await Promise.all(
      tellers.map(async (teller, index) => {
        must(await teller.tell(activation(1, 'write')));
        order.push(index);
      }),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('nothing can be read before the commit', async () => {
    const teller = await newRun();
    const pending = teller.tell(activation(1, 'write'));
    expect([...store.log.read(teller.runId)]).toHaveLength(1);
    must(await pending);
    expect([...store.log.read(teller.runId)]).toHaveLength(2);
  });

  test('appends of one run in one turn follow one another', async () => {
    const teller = await newRun();
    const results = await Promise.all([teller.tell(activation(1, 'write')), teller.tell(activationEnd(1))]);
    expect(results.map((result) => must(result).map(({ seq }) => seq))).toEqual([[2], [3]]);
    expect(store.run(teller.runId)).toMatchObject({ stepsDone: 1, now: null });
  });
});

describe('refused appends', () => {
  test('a stale seq fails only its own append', async () => {
    const [one, two] = [await newRun(), await newRun()];
    const stale: Append = { ...one.next([activation(1, 'write')]), expectedSeq: 7 };
    const results = await Promise.all([store.log.append(stale), two.tell(activation(1, 'write'))]);
    expect(results.map(codeOf)).toEqual(['conflict', null]);
    expect([...store.log.read(one.runId)]).toHaveLength(1);
    expect([...store.log.read(two.runId)]).toHaveLength(2);
    expect(store.health().state).toBe('ok');
  });

  test('the row of a run follows what was written, not a state that ran ahead', async () => {
    const teller = await newRun();
    const good = teller.next([activation(1, 'write')]);
    const bad: Append = { ...teller.next([activationEnd(1), runEnd]), expectedSeq: 9 };
    const results = await Promise.all([store.log.append(good), store.log.append(bad)]);
    expect(results.map(codeOf)).toEqual([null, 'conflict']);
    expect(store.run(teller.runId)).toMatchObject({
      status: 'running',
      stepsDone: 0,
      now: 'Step write: Working',
    });
    expect(store.log.unfinished()).toEqual([teller.runId]);
  });

  test('an append with an existing uid and one for an unknown project are refused', async () => {
    const teller = await newRun();
    const again = new Teller(store);
    const lost = new Teller(store);
    const results = await Promise.all([
      again.tell(started({ uid: teller.state.uid, projectId })),
      lost.tell(started({ uid: 'lost', projectId: 99 })),
    ]);
    expect(results.map(codeOf)).toEqual(['conflict', 'not_found']);
  });

  test('a bug in one append is thrown at its caller and leaves the others alone', async () => {
    const [one, two, three] = [await newRun(), await newRun(), await newRun()];
    must(await two.tell(session(1, 1)));
    const settled = await Promise.allSettled([
      one.tell(activation(1, 'write')),
      two.tell(session(1, 1)),
      three.tell(activation(1, 'write')),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([...store.log.read(two.runId)]).toHaveLength(2);
    expect([...store.log.read(three.runId)]).toHaveLength(2);
    expect(store.health().state).toBe('ok');
  });

  test('the owner of a refused append is notified within the commit', async () => {
    const [one, two, three] = [await newRun(), await newRun(), await newRun()];
    must(await two.tell(session(1, 1)));
    const refused: number[] = [];
    const append = (given: Append) =>
      store.log.append({ ...given, refused: () => void refused.push(given.runId) });
    const stale = one.next([activation(1, 'write')]);
    const told = Promise.allSettled([
      append({ ...stale, expectedSeq: 7 }),
      append(two.next([session(1, 1)])),
      append(three.next([activation(1, 'write')])),
    ]);
    store.log.flush();
    expect(refused.sort()).toEqual([one.runId, two.runId]);
    expect((await told).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('all appends of a commit are refused while another program has the database locked', async () => {
    const teller = await newRun();
    const other = connect(place.path);
    other.exec('begin immediate');
    const append = teller.next([activation(1, 'write')]);
    expect(codeOf(await store.log.append(append))).toBe('store.locked');
    expect(store.health()).toMatchObject({
      state: 'failing',
      detail: expect.stringContaining('Another program'),
    });
    other.close();
    must(await store.log.append(append));
    expect(store.health().state).toBe('ok');
  });

  test('an append after the close is refused', async () => {
    const teller = await newRun();
    const pending = teller.tell(activation(1, 'write'));
    store.close();
    must(await pending);
    expect(codeOf(await teller.tell(activationEnd(1)))).toBe('unavailable');
  });
});

test('runs that have not ended are listed, and a resumed run is one of them', async () => {
  const [one, two] = [await newRun(), await newRun()];
  must(await one.tell(runEnd));
  expect(store.log.unfinished()).toEqual([two.runId]);
  must(await one.tell({ type: 'run.resumed', by: 'operator', activationIds: [] }));
  expect(store.log.unfinished()).toEqual([one.runId, two.runId]);
});

test('a long history is read in pages', async () => {
  const teller = await newRun();
  const events = Array.from({ length: 1200 }, (_, index) => timerFired(index + 1));
  must(await teller.tell(...events));
  expect([...store.log.read(teller.runId)].map(({ seq }) => seq)).toEqual(
    Array.from({ length: 1201 }, (_, n) => n + 1),
  );
});

test('each run reads back whole and in order, whatever the interleaving', async () => {
  const step = fc.record({ run: fc.nat(4), count: fc.integer({ min: 1, max: 11 }), wait: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const tellers = await Promise.all(Array.from({ length: 5 }, () => newRun()));
      const told = tellers.map(() => 1);
      const pending: Promise<unknown>[] = [];
      for (const { run, count, wait } of steps) {
        const events = Array.from({ length: count }, (_, n) => timerFired(n + 1));
        pending.push((tellers[run] as Teller).tell(...events).then(must));
        told[run] = (told[run] ?? 0) + count;
        if (wait) await pending.at(-1);
      }
      await Promise.all(pending);
      let lastIds = 0;
      for (const [index, teller] of tellers.entries()) {
        const stored = [...store.log.read(teller.runId)];
        expect(stored.map(({ seq }) => seq)).toEqual(
          Array.from({ length: told[index] ?? 0 }, (_, n) => n + 1),
        );
        const ids = stored.map(({ id }) => id);
        expect(ids).toEqual([...ids].sort((a, b) => a - b));
        expect(stored.map(({ at }) => at)).toEqual(stored.map((_, n) => 1_000 + n));
        lastIds = Math.max(lastIds, ids.at(-1) ?? 0);
      }
      expect(lastIds).toBe(store.lastEventId());
    }),
    { numRuns: 40 },
  );
});

test('the end in the row of a run is written again after a commit that failed', async () => {
  const teller = await newRun();
  must(await teller.tell(activation(1, 'write')));
  const other = connect(place.path);
  other.exec('begin immediate');
  const append = teller.next([activationEnd(1), runEnd]);
  expect(codeOf(await store.log.append(append))).toBe('store.locked');
  other.close();
  expect(store.run(teller.runId)).toMatchObject({ status: 'running', finishedAt: null });
  must(await store.log.append(append));
  expect(store.run(teller.runId)).toMatchObject({ status: 'succeeded', finishedAt: teller.state.at });
  must(await teller.tell({ type: 'run.resumed', by: 'operator', activationIds: [] }));
  expect(store.run(teller.runId)).toMatchObject({ status: 'running', finishedAt: null });
});

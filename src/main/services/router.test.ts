import { FoldedRuns } from '@areas/runs/node/history/folded-runs';
import { appError } from '@contract/errors';
import { ok } from '@contract/result';
import { expect, test } from 'vitest';
import { connect } from '../adapters/sqlite/connection';
import { MIGRATIONS } from '../adapters/sqlite/migrations/index';
import { migrate } from '../adapters/sqlite/migrations/migrate';
import { createStore } from '../adapters/sqlite/store';
import { Place } from '../adapters/sqlite/testing/place';
import { started, Teller } from '../adapters/sqlite/testing/story';
import { gate, Harness, MemoryLog } from '../core/engine/testing/harness';
import { PausePoints } from '../core/ports/testing/pause-points';
import { createRouter, type Handlers } from './router';

const logged: string[] = [];
const logger = {
  info: () => undefined,
  warn: () => undefined,
  error: (message: string) => void logged.push(message),
};

/** Only the handlers used by the test. */
const router = (handlers: Partial<Handlers>, commit = () => {}) =>
  createRouter(handlers as Handlers, logger, commit);

test('handlers get parsed input with its defaults', async () => {
  const seen: unknown[] = [];
  const route = router({
    'run.list': (input) => {
      seen.push(input);
      return ok({ rows: [], more: false });
    },
  });
  expect(await route('run.list', {})).toEqual({ ok: true, value: { rows: [], more: false } });
  expect(seen).toEqual([{ limit: 100, binned: false }]);
});

test('a call outside the contract is refused, and the error names the field that does not fit', async () => {
  const route = router({});
  expect(await route('toString', {})).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
  expect(await route('gate.resolve', { runId: 1, gateId: 1, answer: {} })).toMatchObject({
    ok: false,
    error: { code: 'input.invalid', where: { path: 'answer.option' } },
  });
});

test('a foreseen error is returned as it is, and an unforeseen one only by its number', async () => {
  const full = Object.assign(new Error('full'), {
    appError: appError('store.disk_full', 'The disk is full.'),
  });
  const route = router({
    'project.remove': () => {
      throw full;
    },
    'settings.get': () => {
      throw new Error('secret detail');
    },
  });
  expect(await route('project.remove', { projectId: 1 })).toMatchObject({
    error: { code: 'store.disk_full' },
  });
  const reply = await route('settings.get', {});
  expect(reply).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect(JSON.stringify(reply)).not.toContain('secret detail');
  expect(logged).toEqual(['a procedure threw']);
});

test('a folded run is committed before the reply, and a read is answered at once', async () => {
  const place = new Place();
  try {
    const store = place.open();
    const projectId = store.addProject('/projects/sample', 'sample', 1).id;
    const teller = new Teller(store);
    const told: Promise<unknown>[] = [];
    const live = () => {
      told.push(teller.tell(started({ uid: 'run', projectId })));
      return ok([1]);
    };
    const route = router({ 'run.live': live }, () => store.log.flush());
    expect(route('run.live', {})).toEqual({ ok: true, value: [1] });
    expect([...store.log.read(1)].map(({ event }) => event.type)).toEqual(['run.started']);
    await Promise.all(told);
  } finally {
    place.remove();
  }
});

/** The real engine over a database that can be kept from growing. */
function overFullDisk(place: Place) {
  const db = connect(place.path);
  migrate(db, MIGRATIONS);
  const store = createStore(db, { path: place.path, now: () => 1, notices: [], closed: () => undefined });
  store.addProject('/project', 'sample', 1);
  const harness = new Harness(new MemoryLog(), store.log);
  const pages = (more: number) => Number(db.pragma('page_count', { simple: true })) + more;
  return {
    harness,
    store,
    fill: () => db.pragma(`max_page_count = ${pages(0)}`),
    empty: () => db.pragma(`max_page_count = ${pages(10_000)}`),
    folded: new FoldedRuns({ engine: harness.engine, store, logger }),
  };
}

test('a read is answered from the store if the commit of the folded run fails', async () => {
  const place = new Place();
  try {
    const { harness, store, folded, fill, empty } = overFullDisk(place);
    const runId = await harness.run({ steps: [gate('g')] });
    const openGates = () =>
      Object.values(folded.state(runId)?.gates ?? {}).filter(({ status }) => status === 'open');
    const route = router({ 'run.live': () => ok(openGates().map(({ id }) => id)) }, () => store.log.flush());
    const answer = () =>
      harness.engine.command(runId, () =>
        ok([
          {
            type: 'gate.resolved',
            gateId: 1,
            answer: { option: 'approve', text: 'x'.repeat(100_000) },
            by: 'test',
          },
        ]),
      );

    fill();
    const refused = answer();
    expect(route('run.live', {})).toEqual({ ok: true, value: [1] });
    expect(await refused).toMatchObject({ ok: false, error: { code: 'store.disk_full' } });
    expect(route('run.live', {})).toEqual({ ok: true, value: [1] });

    empty();
    const taken = answer();
    expect(route('run.live', {})).toEqual({ ok: true, value: [] });
    expect(await taken).toEqual({ ok: true, value: undefined });
    expect(folded.state(runId)).toMatchObject({ status: 'finished', outcome: 'succeeded' });
    store.close();
  } finally {
    place.remove();
  }
});

test('a run whose first commit fails is not listed', async () => {
  const place = new Place();
  try {
    const { harness, store, fill } = overFullDisk(place);
    const live = () => ok([...harness.engine.all()].map(({ runId }) => runId));
    const route = router({ 'run.live': live }, () => store.log.flush());
    fill();
    const begun = harness.run({ steps: [gate('g')] }, { instruction: 'x'.repeat(100_000) });
    expect(route('run.live', {})).toEqual({ ok: true, value: [] });
    await expect(begun).rejects.toThrow('store.disk_full');
    store.close();
  } finally {
    place.remove();
  }
});

test('a folded run is committed before an asynchronous reply leaves, whether it succeeds or fails', async () => {
  const points = new PausePoints();
  const told: string[] = [];
  for (const works of [true, false]) {
    const list = async () => {
      if (!works) throw new Error('a bug');
      return ok({ rows: [], more: false });
    };
    const route = router({ 'run.list': points.calling(() => 'list', list) }, () => told.push('committed'));
    told.length = 0;
    const listing = points.hold('list');
    const answered = Promise.resolve(route('run.list', {})).then((reply) => told.push(`ok: ${reply.ok}`));
    await listing.reached;
    expect(told).toEqual([]);
    listing.release();
    await answered;
    expect(told).toEqual(['committed', `ok: ${works}`]);
  }
});

test('a commit that throws is an error of the call, whether its reply is a promise or not', async () => {
  const broken = () => {
    throw Object.assign(new Error('full'), { appError: appError('store.disk_full', 'The disk is full.') });
  };
  const direct = router({ 'run.live': () => ok([]) }, broken);
  const later = router({ 'run.list': async () => ok({ rows: [], more: false }) }, broken);
  const refused = { ok: false, error: { code: 'store.disk_full', message: 'The disk is full.' } };
  expect(direct('run.live', {})).toEqual(refused);
  expect(await later('run.list', {})).toEqual(refused);
});

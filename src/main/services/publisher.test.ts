import type { GateRow } from '@areas/gates/contract/procedures';
import { appError } from '@contract/errors';
import type { Push } from '@contract/ipc';
import type { StoredEvent } from '@contract/run/events';
import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import { settingsSchema } from '@contract/system/procedures';
import { beforeEach, expect, test } from 'vitest';
import { StoreFault } from '../adapters/sqlite/faults';
import { TopicPublisher } from './publisher';

let sent: string[];
let timers: { at: number; run: () => void }[];
let now: number;
let publisher: TopicPublisher;
let readable: boolean;

/** A push's topic, with its events or rows. */
const shown = (push: Push): string => {
  if (push.topic === 'run') return `run ${push.runId}: ${push.events.map(({ seq }) => seq).join()}`;
  if (push.topic === 'runs') return `runs: ${push.rows.map(({ id }) => id).join()}`;
  if (push.topic === 'gates') return `gates: ${push.rows.map((row) => `${row.runId}/${row.gateId}`).join()}`;
  return push.topic;
};
const event = (runId: number, seq: number): StoredEvent => ({
  id: seq,
  runId,
  seq,
  at: 1,
  event: { type: 'timer.fired', timerId: seq },
});
const commit = (runId: number, ...seqs: number[]) =>
  publisher.committed(
    runId,
    seqs.map((seq) => event(runId, seq)),
    {} as RunState,
  );
const pass = (ms: number) => {
  now += ms;
  for (const timer of timers.filter(({ at }) => at <= now)) {
    timers.splice(timers.indexOf(timer), 1);
    timer.run();
  }
};

beforeEach(() => {
  [sent, timers, now, readable] = [[], [], 0, true];
  publisher = new TopicPublisher(
    {
      run: (id) => {
        if (!readable) throw new StoreFault(appError('store.damaged', 'damaged'), null);
        return { id } as RunRow;
      },
      gate: (runId, gateId) => ({ runId, gateId }) as GateRow,
      updates: () => [],
    },
    {
      send: (push) => void sent.push(shown(push)),
      later: (ms, run) => void timers.push({ at: now + ms, run }),
    },
    () => null,
  );
  publisher.follow(['runs', 'run:1', 'run:2']);
});

test('events of followed runs go at once', () => {
  commit(1, 1, 2);
  commit(2, 1);
  commit(3, 1);
  expect(sent).toEqual(['run 1: 1,2', 'run 2: 1']);
});

test('a gate that was put off is pushed with the other lists', () => {
  publisher.follow(['gates']);
  publisher.gateChanged(1, 2);
  pass(20);
  expect(sent).toEqual(['gates: 1/2']);
});

test('news with a topic of its own is pushed once with the lists, and settings at once', () => {
  publisher.follow(['profiles', 'rules', 'settings']);
  publisher.changed('rules');
  publisher.changed('rules');
  publisher.changed('deliveries');
  publisher.settingsChanged(settingsSchema.parse({}));
  expect(sent).toEqual(['settings']);
  pass(20);
  expect(sent.slice(1)).toEqual(['rules']);
  publisher.follow([]);
  publisher.settingsChanged(settingsSchema.parse({}));
  publisher.changed('profiles');
  pass(250);
  expect(sent).toHaveLength(2);
});

test('lists are pushed soon after a quiet time, with all that belongs together, then seldom', () => {
  commit(3, 1);
  pass(5);
  commit(4, 1);
  pass(15);
  expect(sent).toEqual(['runs: 3,4']);
  for (let step = 0; step < 20; step += 1) {
    commit(3 + (step % 2), step + 2);
    pass(10);
  }
  expect(sent).toEqual(['runs: 3,4']);
  pass(50);
  expect(sent).toEqual(['runs: 3,4', 'runs: 3,4']);
  // Nothing has happened since: nothing is published, and nothing waits.
  pass(250);
  expect(timers).toEqual([]);
  commit(5, 1);
  pass(20);
  expect(sent.slice(2)).toEqual(['runs: 5']);
});

test('lists that cannot be read stop nothing: later ones are pushed', () => {
  readable = false;
  commit(3, 1);
  pass(20);
  expect(sent).toEqual([]);
  readable = true;
  commit(4, 1);
  pass(250);
  expect(sent).toEqual(['runs: 4']);
});

test('needs of the operator beside the gates are pushed after a commit where they have changed', () => {
  const besides = { replies: [], failures: [], pulls: [], waits: [] };
  const news = [null, besides, null];
  publisher.attend(() => news.shift() ?? null);
  publisher.follow(['attention']);
  for (const seq of [1, 2, 3]) {
    commit(1, seq);
    pass(300);
    pass(300);
  }
  expect(sent).toEqual(['attention']);
});

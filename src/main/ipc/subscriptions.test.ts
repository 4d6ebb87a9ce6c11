import type { Push, RoutedPush } from '@contract/ipc';
import { beforeEach, expect, test } from 'vitest';
import { Subscriptions } from './subscriptions';

let wanted: string[][];
let lines: string[][];
let fresh: number;
let sent: [number, RoutedPush[]][];
let subscriptions: Subscriptions;
const workflows = (projectId: number): Push => ({ topic: 'workflows', projectId });
const run = (runId: number): Push => ({ topic: 'run', runId, events: [] });

beforeEach(() => {
  wanted = [];
  lines = [];
  fresh = 0;
  sent = [];
  subscriptions = new Subscriptions({
    always: ['system'],
    wanted: ({ topics, line }) => {
      wanted.push(topics);
      lines.push(line);
    },
    fresh: () => {
      fresh += 1;
    },
    send: (id, pushes) => void sent.push([id, pushes]),
  });
});

test('the core hears the union of all subscriptions, and only when it changes', () => {
  subscriptions.begin();
  subscriptions.subscribe(1, { topics: ['runs', 'run:7'] });
  subscriptions.subscribe(2, { topics: ['runs'] });
  subscriptions.subscribe(2, { topics: ['runs', 'system'] });
  subscriptions.forget(1);
  subscriptions.forget(2);
  expect(wanted).toEqual([['system'], ['runs', 'system'], ['runs', 'system'], ['system']]);
  expect(lines).toEqual([[], ['run:7'], [], []]);
  expect(fresh).toBe(2);
});

test('a page that was loaded again is fresh once more', () => {
  subscriptions.subscribe(1, { topics: ['run:7'] });
  subscriptions.subscribe(1, { topics: ['run:8'] });
  expect(fresh).toBe(1);
  subscriptions.forget(1);
  subscriptions.subscribe(1, { topics: ['run:8'] });
  expect(fresh).toBe(2);
  expect(lines).toEqual([['run:7'], ['run:8'], [], ['run:8']]);
});

test('a window gets what it follows, each message at once, in order', () => {
  subscriptions.subscribe(1, { topics: ['workflows', 'run:7'] });
  subscriptions.subscribe(2, { topics: ['run:8'] });
  subscriptions.forward([workflows(1), run(8), run(7)]);
  subscriptions.forward([workflows(2), run(9)]);
  subscriptions.forward([run(9)]);
  expect(sent).toEqual([
    [1, [workflows(1), run(7)]],
    [2, [run(8)]],
    [1, [workflows(2)]],
  ]);
});

test('a window that is gone gets nothing more', () => {
  subscriptions.subscribe(1, { topics: ['workflows'] });
  subscriptions.forget(1);
  subscriptions.forward([workflows(1)]);
  expect(sent).toEqual([]);
});

test.each([[null], [{ topics: 'runs' }], [{ topics: ['run:x'] }], [{ topics: Array(65).fill('runs') }]])(
  'a request of another form changes nothing: %j',
  (raw) => {
    subscriptions.subscribe(1, { topics: ['runs'] });
    expect(subscriptions.subscribe(1, raw)).toBe(false);
    expect(wanted).toEqual([['runs', 'system']]);
  },
);

import type { Push } from '@contract/ipc';
import type { StoredEvent } from '@contract/run/events';
import type { SystemStatus } from '@contract/system/procedures';
import { beforeEach, expect, test, vi } from 'vitest';
import { call } from '../rpc';
import { PushBus } from './bus';

let tell: (pushes: unknown) => void;
let topics: string[];
let frames: (() => void)[];
let bus: PushBus;

const event = (seq: number): StoredEvent => ({
  id: seq,
  runId: 7,
  seq,
  at: 1_700_000_000_000,
  event: { type: 'step.skipped', stepId: 'a', reason: 'no', cause: 'condition' },
});
const run = (...seqs: number[]): Push => ({ topic: 'run', runId: 7, events: seqs.map(event) });
const packed = (push: Push) => ({ topic: 'run', runId: 7, packed: JSON.stringify(push) });
const frame = () => {
  for (const draw of frames.splice(0)) draw();
};

beforeEach(() => {
  topics = [];
  frames = [];
  const bridge = {
    subscribe: (wanted: string[]) => {
      topics = wanted;
    },
    onPush: (listener: (pushes: unknown) => void) => {
      tell = listener;
      return () => undefined;
    },
  };
  bus = new PushBus(bridge, (draw) => void frames.push(draw));
});

test('pushes of a run are handed on once a frame, in order, and lists at once', async () => {
  const heard: number[] = [];
  let lists = 0;
  bus.on('run', 7, (push) => heard.push(...push.events.map(({ seq }) => seq)));
  bus.on('workflows', null, () => {
    lists += 1;
  });
  await Promise.resolve();
  expect(topics).toEqual(['system', 'run:7', 'workflows']);
  tell([packed(run(1))]);
  tell([packed(run(2, 3)), { topic: 'workflows', projectId: 1 }]);
  expect([heard, lists, frames.length]).toEqual([[], 1, 1]);
  frame();
  expect(heard).toEqual([1, 2, 3]);
  tell([run(4)]);
  expect(frames).toHaveLength(1);
  frame();
  expect(heard).toEqual([1, 2, 3, 4]);
});

test('subscriptions are sent before queries of the same moment, whichever came first', async () => {
  const told: string[] = [];
  const bridge = {
    subscribe: (wanted: string[]) => void told.push(wanted.join(' ')),
    onPush: () => () => undefined,
    call: async (name: string) => {
      told.push(name);
      return { ok: true, value: [] };
    },
  };
  vi.stubGlobal('window', { muster: bridge });
  const other = new PushBus(bridge, (draw) => draw());
  const asked = call('project.list', {});
  other.on('run', 7, () => undefined);
  await asked;
  vi.unstubAllGlobals();
  expect(told.indexOf('project.list')).toBeGreaterThan(told.indexOf('system run:7'));
});

test('a listener that left before the frame hears nothing', () => {
  const heard: number[] = [];
  const leave = bus.on('run', 7, () => heard.push(1));
  tell([run(1)]);
  leave();
  frame();
  expect(heard).toEqual([]);
});

function status(state: 'restarting' | 'running', pid: number | null, restarts = 3): SystemStatus {
  const well = { since: 0, detail: null, unsteady: null };
  return {
    core: { ...well, state, pid, restarts },
    ptyHost: { ...well, state: 'none' },
    store: { ...well, state: 'ok', path: '/db', bytes: 0, freeBytes: 0 },
    live: { runs: 0, sessions: 0, turns: 0, commands: 0, gates: 0, steps: 0, limitEndsAt: null },
    spendToday: { tokens: 0, costUsd: 0, untoldTurns: 0, costUnreported: 0 },
    next: null,
    notices: [],
  };
}
const system = (of: SystemStatus): Push => ({ topic: 'system', status: of });

test('a page that began while the core was away reads again once it is there', () => {
  let lost = 0;
  bus.onLost(() => {
    lost += 1;
  });
  bus.begin(status('restarting', null));
  tell([system(status('running', 42))]);
  expect(lost).toBe(1);
  tell([system(status('running', 42))]);
  bus.begin(status('restarting', null));
  tell([system(status('running', 42))]);
  expect(lost).toBe(1);
});

test('a page that began with its core reads nothing twice', () => {
  let lost = 0;
  bus.onLost(() => {
    lost += 1;
  });
  bus.begin(status('running', 42));
  tell([system(status('running', 42))]);
  expect(lost).toBe(0);
});

test('a page reads again after every change of its core, also where it never heard that the core was away', async () => {
  let lost = 0;
  bus.onLost(() => {
    lost += 1;
  });
  bus.on('run', 7, () => undefined);
  tell([system(status('running', 42))]);
  expect(lost).toBe(0);
  await Promise.resolve();
  topics = [];
  // Another process.
  tell([system(status('running', 43))]);
  expect(lost).toBe(1);
  await Promise.resolve();
  expect(topics, 'the new core is told what is followed').toEqual(['system', 'run:7']);
  // A new connection to the same process.
  tell([system(status('running', 43, 4))]);
  expect(lost).toBe(2);
  // Away and back.
  tell([system(status('restarting', null, 4)), system(status('running', 43, 4))]);
  expect(lost).toBe(3);
});

import type { Push } from '@contract/ipc';
import type { StoredEvent } from '@contract/run/events';
import { beforeEach, expect, test, vi } from 'vitest';
import { PushBus } from './bus';
import { call } from './rpc';

let tell: (pushes: unknown) => void;
let topics: string[];
let frames: (() => void)[];
let bus: PushBus;

const event = (seq: number): StoredEvent => ({
  id: seq,
  runId: 7,
  seq,
  at: 1_700_000_000_000,
  event: { type: 'step.skipped', stepId: 'a', reason: 'no' },
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

test('what a run tells is handed on once a frame, in order; lists are at once', async () => {
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

test('what is followed is told before what is asked in the same moment, whichever came first', async () => {
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

test('who has left before the frame hears nothing', () => {
  const heard: number[] = [];
  const leave = bus.on('run', 7, () => heard.push(1));
  tell([run(1)]);
  leave();
  frame();
  expect(heard).toEqual([]);
});

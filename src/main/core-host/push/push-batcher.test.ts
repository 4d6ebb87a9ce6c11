import type { Push } from '@contract/ipc';
import type { StoredEvent } from '@contract/run/events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PushBatcher } from './push-batcher';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const push = (projectId: number): Push => ({ topic: 'workflows', projectId });
const numbers = (pushes: Push[]): number[] =>
  pushes.flatMap((one) => (one.topic === 'workflows' ? [one.projectId] : []));

/** The end of the turn in which something was pushed. */
const moment = () => new Promise<void>((resolve) => process.nextTick(resolve));

test('pushes of one moment go together at its end, and what follows soon goes together, in order', async () => {
  const sent: number[][] = [];
  const batcher = new PushBatcher((pushes) => sent.push(numbers(pushes)), 8);
  for (const id of [1, 2]) batcher.add(push(id));
  expect(sent).toEqual([]);
  await moment();
  expect(sent).toEqual([[1, 2]]);
  for (const id of [3, 4]) batcher.add(push(id));
  await moment();
  expect(sent).toEqual([[1, 2]]);
  vi.runAllTimers();
  expect(sent).toEqual([
    [1, 2],
    [3, 4],
  ]);
  vi.advanceTimersByTime(1000);
  batcher.add(push(5));
  await moment();
  expect(sent.at(-1)).toEqual([5]);
});

test('waiting pushes can be sent now, and then not again', async () => {
  const sent: number[][] = [];
  const batcher = new PushBatcher((pushes) => sent.push(numbers(pushes)), 8);
  batcher.add(push(1));
  batcher.flush();
  batcher.add(push(2));
  batcher.flush();
  batcher.flush();
  batcher.add(push(3));
  batcher.drop();
  await moment();
  vi.runAllTimers();
  expect(sent).toEqual([[1], [2]]);
});

test('waiting pushes of one run are one push, except what streamed between', () => {
  const sent: Push[][] = [];
  const batcher = new PushBatcher((pushes) => sent.push(pushes), 8);
  const event = (runId: number, seq: number): StoredEvent => ({
    id: seq,
    runId,
    seq,
    at: 1,
    event: { type: 'timer.fired', timerId: seq },
  });
  const run = (runId: number, ...seqs: number[]): Push => ({
    topic: 'run',
    runId,
    events: seqs.map((seq) => event(runId, seq)),
  });
  const stream: Push = { topic: 'stream', runId: 1, turnId: 1, from: 0, items: [] };
  const first = run(1, 1);
  const batches = [
    [first],
    [run(1, 2), run(2, 1), run(1, 3), push(9), run(2, 2), stream, run(1, 4), run(2, 3), run(1, 5)],
    [run(1, 6)],
  ];
  for (const batch of batches) {
    for (const one of batch) batcher.add(one);
    batcher.flush();
  }
  expect(first).toEqual(run(1, 1));
  expect(sent).toEqual([
    [run(1, 1)],
    [run(1, 2, 3), run(2, 1, 2, 3), push(9), stream, run(1, 4, 5)],
    [run(1, 6)],
  ]);
});

import type { Push } from '@contract/ipc';
import type { StoredEvent } from '@contract/run/events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PushBatcher } from './push-batcher';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const push = (projectId: number): Push => ({ topic: 'workflows', projectId });
const numbers = (pushes: Push[]): number[] =>
  pushes.flatMap((one) => (one.topic === 'workflows' ? [one.projectId] : []));

test('the first goes at once, what follows soon goes together, in order', () => {
  const sent: number[][] = [];
  const outbox = new PushBatcher((pushes) => sent.push(numbers(pushes)));
  outbox.add([push(1)]);
  outbox.add([push(2)]);
  outbox.add([push(3), push(4)]);
  expect(sent).toEqual([[1]]);
  vi.runAllTimers();
  expect(sent).toEqual([[1], [2, 3, 4]]);
  vi.advanceTimersByTime(1000);
  outbox.add([push(5)]);
  expect(sent.at(-1)).toEqual([5]);
});

test('what waits can be sent now, and then not again', () => {
  const sent: number[][] = [];
  const outbox = new PushBatcher((pushes) => sent.push(numbers(pushes)));
  outbox.add([push(1)]);
  outbox.add([push(2)]);
  outbox.flush();
  outbox.flush();
  vi.runAllTimers();
  expect(sent).toEqual([[1], [2]]);
});

test('what waits of one run is one push, but for what streamed between', () => {
  const sent: Push[][] = [];
  const outbox = new PushBatcher((pushes) => sent.push(pushes));
  const event = (runId: number, seq: number): StoredEvent => ({
    ...{ id: seq, runId, seq, at: 1 },
    event: { type: 'timer.fired', timerId: seq },
  });
  const run = (runId: number, ...seqs: number[]): Push => ({
    topic: 'run',
    runId,
    events: seqs.map((seq) => event(runId, seq)),
  });
  const stream: Push = { topic: 'stream', runId: 1, turnId: 1, from: 0, items: [] };
  const first = run(1, 1);
  outbox.add([first]);
  outbox.add([run(1, 2), run(2, 1), run(1, 3)]);
  outbox.add([push(9), run(2, 2), stream, run(1, 4), run(2, 3), run(1, 5)]);
  vi.runAllTimers();
  outbox.add([run(1, 6)]);
  vi.runAllTimers();
  expect(first).toEqual(run(1, 1));
  expect(sent).toEqual([
    [run(1, 1)],
    [run(1, 2, 3), run(2, 1, 2, 3), push(9), stream, run(1, 4, 5)],
    [run(1, 6)],
  ]);
});

import type { Push } from '@contract/ipc';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Outbox } from './outbox';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const push = (projectId: number): Push => ({ topic: 'workflows', projectId });
const numbers = (pushes: Push[]): number[] =>
  pushes.flatMap((one) => (one.topic === 'workflows' ? [one.projectId] : []));

test('the first goes at once, what follows soon goes together, in order', () => {
  const sent: number[][] = [];
  const outbox = new Outbox((pushes) => sent.push(numbers(pushes)));
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
  const outbox = new Outbox((pushes) => sent.push(numbers(pushes)));
  outbox.add([push(1)]);
  outbox.add([push(2)]);
  outbox.flush();
  outbox.flush();
  vi.runAllTimers();
  expect(sent).toEqual([[1], [2]]);
});

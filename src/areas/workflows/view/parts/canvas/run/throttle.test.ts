import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Throttle } from './throttle';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('frequent values are throttled: the first is taken at once, then one in each time, and always the last', () => {
  const taken: number[] = [];
  const pace = new Throttle<number>(100, (value) => taken.push(value));
  for (let value = 0; value < 25; value += 1) {
    pace.offer(value);
    vi.advanceTimersByTime(10);
  }
  expect(taken).toEqual([0, 9, 19]);
  vi.advanceTimersByTime(100);
  expect(taken).toEqual([0, 9, 19, 24]);
});

test('a value that comes after a pause is taken at once, and a forgotten one is not taken', () => {
  const taken: number[] = [];
  const pace = new Throttle<number>(100, (value) => taken.push(value));
  pace.offer(1);
  vi.advanceTimersByTime(300);
  pace.offer(2);
  vi.advanceTimersByTime(0);
  pace.offer(3);
  pace.end();
  vi.advanceTimersByTime(300);
  expect(taken).toEqual([1, 2]);
});

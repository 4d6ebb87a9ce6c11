import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClock } from './clock';

const HOUR = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a timer runs at its time, however far, and once', () => {
  const clock = createClock();
  const run = vi.fn();
  clock.at(clock.now() + 1000 * HOUR, run);
  vi.advanceTimersByTime(1000 * HOUR - 1);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('after a sleep of the machine a timer is a minute late at most, also where no one reports the waking', () => {
  const clock = createClock();
  const run = vi.fn();
  clock.at(clock.now() + 3 * HOUR, run);
  vi.advanceTimersByTime(1000);
  // Timers stop during sleep, the time does not.
  vi.setSystemTime(Date.now() + 4 * HOUR);
  vi.advanceTimersByTime(60_000);
  expect(run).toHaveBeenCalledTimes(1);
});

test('a cancelled timer does not run, and a waking is heeded at once', () => {
  const clock = createClock();
  const [kept, dropped] = [vi.fn(), vi.fn()];
  clock.at(clock.now() + HOUR, kept);
  clock.at(clock.now() + HOUR, dropped)();
  vi.setSystemTime(Date.now() + 2 * HOUR);
  clock.wake();
  vi.advanceTimersByTime(1);
  expect([kept.mock.calls.length, dropped.mock.calls.length]).toEqual([1, 0]);
});

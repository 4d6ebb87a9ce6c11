import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClock } from './clock';

const HOUR = 3600_000;
let now = 0;
beforeEach(() => {
  now = 1_000;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a time that passed while the machine slept is noticed within a minute, also where nobody says that it woke', () => {
  const clock = createClock();
  const ran: string[] = [];
  clock.at(now + 6 * HOUR, () => ran.push('limit'));
  // Timers stand still meanwhile; the time of day does not.
  now += 7 * HOUR;
  expect(ran).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(ran).toEqual(['limit']);
  expect(clock.next()).toBeNull();
});

test('nothing is run before its time', () => {
  const clock = createClock();
  const ran: string[] = [];
  clock.at(now + 10 * 60_000, () => ran.push('late'));
  for (let minute = 1; minute <= 9; minute += 1) {
    now += 60_000;
    vi.advanceTimersByTime(60_000);
  }
  expect(ran).toEqual([]);
  now += 60_000;
  vi.advanceTimersByTime(60_000);
  expect(ran).toEqual(['late']);
});

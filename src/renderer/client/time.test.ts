import { duration, resumeWords, until } from '@contract/time-words';
import { describe, expect, test } from 'vitest';
import { bytes, count, money, spend } from './format';
import { ago, elapsed, fullTime } from './time';

const now = new Date('2026-11-22T12:00:00').getTime();
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

describe('times', () => {
  test('a time in the past is shown as how long ago it was', () => {
    expect(ago(now - 1 * SECOND, now)).toBe('just now');
    expect(ago(now + 5 * SECOND, now)).toBe('just now');
    expect(ago(now - 12 * SECOND, now)).toBe('12 s ago');
    expect(ago(now - 6 * MINUTE, now)).toBe('6 min ago');
    expect(ago(now - 3 * HOUR, now)).toBe('3 h ago');
    expect(ago(now - 2 * DAY, now)).toBe('2 d ago');
    expect(ago(now - 20 * DAY, now)).toBe('2 Nov');
    expect(ago(now - 400 * DAY, now)).toBe('18 Oct 2025');
  });

  test('a value that is no time is said to be unknown, and never throws', () => {
    for (const value of [Number.MAX_SAFE_INTEGER, -1, Number.NaN]) {
      expect(ago(value, now)).toBe('at an unknown time');
      expect(fullTime(value)).toBe('at an unknown time');
      expect(elapsed(now - value)).not.toContain('NaN');
    }
  });

  test('a duration is shown in its largest units', () => {
    expect(duration(340)).toBe('340 ms');
    expect(elapsed(340)).toBe('0 s');
    expect(duration(7200)).toBe('7 s');
    expect(duration(72 * SECOND)).toBe('1 min 12 s');
    expect(duration(2 * HOUR + 5 * MINUTE)).toBe('2 h 05 min');
    expect(duration(3 * DAY + 4 * HOUR)).toBe('3 d 4 h');
  });

  test('a time to come is shown as how long it is until then', () => {
    expect(until(now - 1, now)).toBe('due now');
    expect(until(now + 20 * SECOND, now)).toBe('in 20 s');
    expect(until(now + 47 * MINUTE, now)).toBe('in 47 min');
    expect(until(now + 3 * HOUR, now)).toBe('in 3 h 00 min');
    expect(resumeWords(now + 4 * MINUTE, now)).toBe('goes on in 4 min');
    expect(resumeWords(now, now)).toBe('goes on now');
  });
});

describe('numbers', () => {
  test('money is shown so that little is not nothing', () => {
    expect(money(0.42)).toBe('$0.42');
    expect(money(0.0031)).toBe('$0.0031');
    expect(money(1234.5)).toBe('$1,234.50');
    expect(money(0)).toBe('$0.00');
  });

  test('counts and bytes are shortened', () => {
    expect([812, 5100, 184_200, 3_100_000].map(count)).toEqual(['812', '5.1k', '184k', '3.1M']);
    expect([512, 64_000, 3_100_000, 2_000_000_000].map(bytes)).toEqual(['512 B', '64 kB', '3.1 MB', '2 GB']);
    expect(spend(5100, 0)).toBe('5.1k tokens');
    expect(spend(0, 0)).toBe('');
  });
});

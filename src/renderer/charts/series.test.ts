import { expect, test } from 'vitest';
import { daySeries, inWords } from './series';

const money = (value: number): string => `$${value}`;

test('a day without usage is zero, and one whose cost was not reported is a gap', () => {
  const { times, values } = daySeries([
    { day: '2026-03-30', value: null },
    { day: '2026-03-27', value: 2 },
  ]);
  expect(values).toEqual([2, 0, 0, null]);
  expect(times.map((time) => new Date(time * 1000).getDate())).toEqual([27, 28, 29, 30]);
});

test('a series needs a day, and years apart show only the known days', () => {
  expect(daySeries([])).toEqual({ times: [], values: [] });
  const far = daySeries([
    { day: '2020-01-01', value: 1 },
    { day: '2026-01-01', value: 2 },
  ]);
  expect(far.values).toEqual([1, 2]);
});

test('a chart is described in words with its highest day and its unreported amounts', () => {
  const days = [
    { day: '2026-11-21', value: 1 },
    { day: '2026-11-22', value: 3 },
    { day: '2026-11-23', value: null },
  ];
  expect(inWords(days, money)).toBe('The highest is $3 on Sun, Nov 22; not reported on 1 day.');
  expect(inWords(days.slice(2), money)).toBe('No known amounts; not reported on 1 day.');
});

import { expect, test } from 'vitest';
import { nextMark, ticksOf } from './ticks';

const mark = (seq: number, kind: 'gate' | 'failure' | 'end') => ({
  seq,
  at: seq,
  kind,
  title: `${kind} ${seq}`,
});

test('marks in one place are drawn as the worst of them, with their number', () => {
  const marks = [mark(10, 'gate'), mark(11, 'failure'), mark(12, 'gate'), mark(90_000, 'end')];
  const ticks = ticksOf(marks, 100_000);
  expect(ticks.map(({ seq, title }) => [seq, title])).toEqual([
    [11, 'failure 11 (and 2 more)'],
    [90_000, 'end 90000'],
  ]);
  expect(ticks[1]?.percent).toBeCloseTo(90, 0);
});

test('a long run with marks everywhere has a bounded number of ticks', () => {
  const marks = Array.from({ length: 20_000 }, (_, index) => mark(index * 5 + 1, 'gate'));
  expect(ticksOf(marks, 100_000).length).toBeLessThanOrEqual(241);
  expect(ticksOf([mark(1, 'gate')], 1)).toHaveLength(1);
});

test('the next mark is one after the event, the last one before it', () => {
  const marks = [mark(3, 'gate'), mark(7, 'failure')];
  expect(nextMark(marks, 3, 1)).toBe(7);
  expect(nextMark(marks, 7, -1)).toBe(3);
  expect(nextMark(marks, 7, 1)).toBeNull();
  expect(nextMark(marks, 3, -1)).toBeNull();
});

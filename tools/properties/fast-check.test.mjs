import { expect, test } from 'vitest';
import { runsOf } from './fast-check.mjs';

test.each([
  [3_000, 0.1, 300],
  [undefined, 0.1, 10],
  [150, 0.1, 15],
  [60, 0.1, 6],
  [12, 0.1, 4],
  [4, 0.1, 4],
  [1, 0.1, 1],
  [60, 1, 60],
  [60, 10, 600],
  [1, 10, 10],
])('a property of %s inputs tries, times %s, %i of them', (named, factor, runs) => {
  expect(runsOf(named, factor)).toBe(runs);
});

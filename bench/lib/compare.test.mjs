import { expect, test } from 'vitest';
import { steady } from './compare.mjs';

test('rounds whose limit moved by more than a fifth are dropped, on both sides', () => {
  expect(steady({ ours: [1, 2, 3, 4, 5], limit: [10, 11, 13, 9, 8] })).toEqual({
    ours: [1, 2, 4],
    limit: [10, 11, 9],
    dropped: 2,
  });
});

test('all rounds count where too few would be left, or where the limit is no number', () => {
  const few = { ours: [1, 2, 3, 4], limit: [10, 20, 40, 80] };
  expect(steady(few)).toEqual({ ...few, dropped: 0 });
  const records = { ours: [1, 2, 3], limit: [{ ms: 1 }, { ms: 5 }, { ms: 9 }] };
  expect(steady(records)).toEqual({ ...records, dropped: 0 });
});

import { LONGEST_PLAYED_PAUSE_MS } from '@renderer/limits';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasLongPauses, played } from './playing';

const times = [0, 100, 100, 400, 90_000, 90_010];

test('playing waits as long as the history did, and at most the longest pause', () => {
  expect(played(times, { seq: 1, spent: 0 }, 99)).toEqual({ seq: 1, spent: 99 });
  expect(played(times, { seq: 1, spent: 0 }, 100)).toEqual({ seq: 3, spent: 0 });
  expect(played(times, { seq: 4, spent: 0 }, LONGEST_PLAYED_PAUSE_MS - 1).seq).toBe(4);
  expect(played(times, { seq: 4, spent: 0 }, LONGEST_PLAYED_PAUSE_MS).seq).toBe(5);
  expect(played(times, { seq: 1, spent: 0 }, 1_000_000)).toEqual({ seq: 6, spent: 0 });
  expect(hasLongPauses(times)).toBe(true);
  expect(hasLongPauses([0, 10])).toBe(false);
});

test('playing in many small steps comes to the same event as in one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -50, max: 9000 }), { minLength: 1, maxLength: 30 }),
      fc.array(fc.integer({ min: 0, max: 4000 }), { maxLength: 20 }),
      (gaps, steps) => {
        const history = gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0));
        const begin = { seq: 1, spent: 0 };
        const small = steps.reduce((place, step) => played(history, place, step), begin);
        const once = played(
          history,
          begin,
          steps.reduce((sum, step) => sum + step, 0),
        );
        expect(small.seq).toBe(once.seq);
      },
    ),
  );
});

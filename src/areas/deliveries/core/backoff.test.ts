import { LONGEST_DELIVERY_RETRY_MS } from '@main/limits/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pauseAfter } from './backoff';

test('the delay of a delivery doubles up to its cap and heeds the delay that the target requests', () => {
  expect([1, 2, 3, 9, 10, 11, 1000].map((tries) => pauseAfter(tries, 0, null))).toEqual([
    2_000, 4_000, 8_000, 512_000, 900_000, 900_000, 900_000,
  ]);
  expect(pauseAfter(1, 1, null)).toBe(1_000);
  expect(pauseAfter(1, 0, 60_000)).toBe(60_000);
  expect(pauseAfter(1, 0, 1e12)).toBe(LONGEST_DELIVERY_RETRY_MS);
});

test('the delay of a delivery is never shorter than a second nor longer than the cap', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.option(fc.nat()),
      (tries, chance, wanted) => {
        const pause = pauseAfter(tries, chance, wanted);
        expect(pause).toBeGreaterThanOrEqual(1_000);
        expect(pause).toBeLessThanOrEqual(LONGEST_DELIVERY_RETRY_MS);
      },
    ),
  );
});

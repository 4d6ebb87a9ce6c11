import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clockTime, dayAndTime, duration } from './time';

test('no time or duration of a row is printed as NaN, whatever the database holds', () => {
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.integer(), fc.constant(Number.MAX_SAFE_INTEGER)), (value) => {
      expect([dayAndTime(value), clockTime(value), duration(value)].join(' ')).not.toMatch(
        /NaN|Infinity|undefined/,
      );
    }),
  );
});

import { expect, test } from 'vitest';
import { estimateOf } from './estimate';

const known = {
  openingChars: 8_000,
  continueChars: 450,
  documentBytes: 4_000_000,
  iterations: 20,
  outputChars: 20_000,
};

test('the first call reads the opening, and reading every document once takes a token for four characters', () => {
  expect(estimateOf(known)).toMatchObject({ first: 2_000, documents: 1_000_000 });
});

test('one iteration costs its opening, and each further one reads all before it again', () => {
  const once = estimateOf({ ...known, iterations: 1 });
  expect([once.least, once.most]).toEqual([2_000, 2_000]);
  const two = estimateOf({ ...known, iterations: 2 });
  expect(two.least).toBe((2 * 8_000 + 2_250 + 500 + 450) / 4);
  expect(two.most).toBe((2 * 8_000 + 2_250 + 20_000 + 450) / 4);
  expect(estimateOf(known).most).toBeGreaterThan(20 * two.most);
});

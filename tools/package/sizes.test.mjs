import { expect, test } from 'vitest';
import { compareSize } from './sizes.mjs';

const MB = 1024 * 1024;

test('a package that grew by more than 5 % of its recorded size, or has none, does not pass', () => {
  expect(compareSize('deb', 105 * MB, 100 * MB)).toEqual({
    grown: false,
    line: 'deb: 105.0 MB, +5.0 % of the recorded size',
  });
  expect(compareSize('deb', 106 * MB, 100 * MB).grown).toBe(true);
  expect(compareSize('deb', 90 * MB, 100 * MB).line).toBe('deb: 90.0 MB, -10.0 % of the recorded size');
  expect(compareSize('deb', MB, undefined)).toEqual({
    grown: true,
    line: 'deb: 1.0 MB, no size is recorded (--record)',
  });
});

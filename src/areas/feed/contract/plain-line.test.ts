import { expect, test } from 'vitest';
import { plainLine } from './plain-line';

test.each([
  ['**First draft** of the converter:', 'First draft of the converter:'],
  ['# Lighthouse 0.4', 'Lighthouse 0.4'],
  ['- [x] New: `lighthouse next`', 'New: lighthouse next'],
  ['see [the notes](https://example.org) *now*', 'see the notes now'],
  ['2 * 3 * 4 = snake_case_name', '2 * 3 * 4 = snake_case_name'],
  ['one\u2028two\tthree', 'one two three'],
  ['done \u202Enepo\u2066', 'done nepo'],
])('the line "%s" is shown in plain text', (line, plain) => {
  expect(plainLine(line)).toBe(plain);
});

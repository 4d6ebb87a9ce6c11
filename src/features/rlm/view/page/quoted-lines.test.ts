import { expect, test } from 'vitest';
import { quotedLines } from './quoted-lines';

const excerpt = { text: 'one\nThe well-known\n  key opens\nthe door.\nlast', from: 9 };

test('a quotation is marked from its first to its last line, whatever its case and white space', () => {
  expect(quotedLines(excerpt, { quote: 'the well-known key opens', line: 10 })).toEqual([10, 11]);
  expect(quotedLines(excerpt, { quote: 'key OPENS the door', line: 11 })).toEqual([11, 12]);
  expect(quotedLines(excerpt, { quote: 'one', line: 9 })).toEqual([9, 9]);
});

test('a quotation whose end is not there is marked where its beginning is', () => {
  const quote = `the well-known key opens ${'and so on '.repeat(20)}`;
  expect(quotedLines(excerpt, { quote, line: 10 })).toEqual([10, 10]);
  const long = { text: `a\n${'word '.repeat(20)}\nz`, from: 1 };
  expect(quotedLines(long, { quote: `${'word '.repeat(20)} more`, line: 2 })).toEqual([2, 2]);
});

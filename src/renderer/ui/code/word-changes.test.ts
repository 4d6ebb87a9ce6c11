import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linePieces, rangesOf } from './line-pieces';
import { wordChanges } from './word-changes';

const cut = (text: string, ranges: readonly { from: number; to: number }[]) =>
  ranges.map(({ from, to }) => text.slice(from, to));

test('the words that differ between two versions of a line are found on both sides', () => {
  const [old, fresh] = ['const limit = 5; // as before', 'const limit = 50; // as before'];
  const found = wordChanges(old, fresh);
  expect([cut(old, found?.old ?? []), cut(fresh, found?.fresh ?? [])]).toEqual([['5'], ['50']]);
});

test('lines with little in common have no words marked, nor have very long ones', () => {
  expect(wordChanges('import { a } from "b";', 'return 42')).toBeNull();
  expect(wordChanges('x'.repeat(700), 'x'.repeat(701))).toBeNull();
});

test('outside of the marked words both versions of a line are the same', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'foo', ' ', '(', ')', '=', '5'), { maxLength: 20 });
  fc.assert(
    fc.property(words, words, (a, b) => {
      const [old, fresh] = [a.join(''), b.join('')];
      const found = wordChanges(old, fresh);
      if (found === null) return;
      const rest = (text: string, ranges: readonly { from: number; to: number }[]) =>
        [...text].filter((_, at) => !ranges.some(({ from, to }) => from <= at && at < to)).join('');
      expect(rest(old, found.old)).toBe(rest(fresh, found.fresh));
    }),
  );
});

test('the pieces of a line are its whole text, with colours and marks over one another', () => {
  const text = 'const limit = 50';
  const coloured = [
    { text: 'const', className: 'hljs-keyword' },
    { text: ' limit = ', className: '' },
    { text: '50', className: 'hljs-number' },
  ];
  const marks = { changed: [{ from: 12, to: 16 }], found: rangesOf(text, 'LIMIT') };
  const pieces = linePieces(text, coloured, marks);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  expect(pieces.filter(({ className }) => className !== '')).toEqual([
    { text: 'const', className: 'hljs-keyword' },
    { text: 'limit', className: 'diff-found' },
    { text: '= ', className: 'diff-changed' },
    { text: '50', className: 'hljs-number diff-changed' },
  ]);
});

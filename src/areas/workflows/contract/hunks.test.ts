import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyHunks, hunksBetween, mergeTexts } from './hunks';

const text = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd'), { maxLength: 30 })
  .map((parts) => parts.join(''));

test('the hunks between two texts make the second of the first', () => {
  fc.assert(
    fc.property(text, text, (old, fresh) => {
      expect(applyHunks(old, hunksBetween(old, fresh))).toBe(fresh);
    }),
  );
});

test('a change far from another is a hunk of its own', () => {
  const old = Array.from({ length: 50 }, (_, index) => `line ${index}\n`).join('');
  const fresh = old.replace('line 3\n', 'LINE 3\n').replace('line 40\n', '');
  expect(hunksBetween(old, fresh).map(({ text: put }) => put)).toEqual(['LINE 3\n', '']);
});

test('a merge with an unchanged text gives the changed one', () => {
  fc.assert(
    fc.property(text, text, (base, mine) => {
      expect(mergeTexts(base, mine, base)).toBe(mine);
      expect(mergeTexts(base, base, mine)).toBe(mine);
      expect(mergeTexts(base, mine, mine)).toBe(mine);
    }),
  );
});

test('changes of different lines are merged, and of one line are not', () => {
  const base = 'a\nb\nc\nd\ne\n';
  expect(mergeTexts(base, 'A\nb\nc\nd\ne\n', 'a\nb\nc\nd\nE\n')).toBe('A\nb\nc\nd\nE\n');
  expect(mergeTexts(base, 'A\nb\nc\nd\ne\n', 'x\nb\nc\nd\ne\n')).toBeNull();
  expect(mergeTexts(base, 'A\nb\nc\nd\ne\n', 'a\nB\nc\nd\ne\n')).toBeNull();
});

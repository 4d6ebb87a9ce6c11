import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import { utf8Length } from './text-length';
import {
  type CutText,
  cutWords,
  isCut,
  isLarge,
  type LargeText,
  type MarkedText,
  markedTextSchema,
  namingWhole,
  totalBytes,
  type WholeText,
} from './whole-text';

const large: LargeText = { sha256: 'a'.repeat(64), bytes: 10_000_000, preview: { first: 'a', last: 'z' } };
const cut: CutText = { part: 'first', shown: 'äb', shownBytes: 65_536, totalBytes: 10_000_000 };

test('a cut text is no text: passing one on as the other does not compile', () => {
  expectTypeOf<CutText>().not.toExtend<WholeText>();
  expectTypeOf<MarkedText>().not.toExtend<WholeText>();
  expectTypeOf<WholeText>().toExtend<MarkedText>();
  expect([isCut(cut), isCut(large), isCut('')]).toEqual([true, false, false]);
  expect([isLarge(cut), isLarge(large), isLarge('')]).toEqual([false, true, false]);
});

test('each form of a text is read back as it was stored', () => {
  for (const text of ['', 'text', large, cut, { ...cut, shown: large }])
    expect(markedTextSchema.parse(JSON.parse(JSON.stringify(text)))).toEqual(text);
});

test('the words of a cut text name both sizes', () => {
  expect(cutWords(cut)).toBe('first 64 KiB of 10 MB');
  expect(cutWords({ part: 'last', shownBytes: 2 ** 20, totalBytes: 3 * 2 ** 20 + 1 })).toBe(
    'last 1 MiB of 3.1 MB',
  );
});

test('for a program each large text says how to read all of it, at any depth', () => {
  const value = { list: [{ text: large }, { cut: { ...cut, shown: large } }], n: 1, none: null };
  const named = { ...large, whole: `read ${large.sha256}` };
  expect(namingWhole(value, (sha256) => `read ${sha256}`)).toEqual({
    list: [{ text: named }, { cut: { ...cut, shown: named } }],
    n: 1,
    none: null,
  });
  const small = { text: 'small' };
  expect(namingWhole(small, () => '')).toBe(small);
});

test('the size of a text is that of the whole, in bytes', () => {
  expect([totalBytes('äb'), totalBytes(large), totalBytes(cut)]).toEqual([3, 10_000_000, 10_000_000]);
});

test('the length in bytes is that of the UTF-8 of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text));
    }),
  );
  expect(utf8Length('\ud800x')).toBe(Buffer.byteLength('\ud800x'));
});

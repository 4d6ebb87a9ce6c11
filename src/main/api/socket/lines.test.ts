import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineReader } from './lines';

test('lines come out whole wherever the bytes are cut, also inside a letter', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\n', ''))),
      fc.array(fc.nat(400)),
      (texts, cuts) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        const reader = new LineReader(1000);
        const places = [...new Set(cuts.filter((cut) => cut < bytes.length))].sort((a, b) => a - b);
        const chunks = [0, ...places].map((from, index) => bytes.subarray(from, places[index]));
        expect(chunks.flatMap((chunk) => reader.push(chunk) ?? ['too long'])).toEqual(texts);
      },
    ),
  );
});

test('a line of exactly the limit passes, one byte more does not', () => {
  expect(new LineReader(4).push(Buffer.from('abcd\n'))).toEqual(['abcd']);
  expect(new LineReader(4).push(Buffer.from('abcde\n'))).toBeNull();
  const slowly = new LineReader(4);
  expect(slowly.push(Buffer.from('abc'))).toEqual([]);
  expect(slowly.push(Buffer.from('de'))).toBeNull();
});

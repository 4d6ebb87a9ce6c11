import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf } from './find-lines';

test('each text is found on its line, whatever its case and white space', async () => {
  const text = 'first line\nThe  red\n key opens\nfifty (5.0) [units] a|b\n';
  expect(
    await linesOf([text], ['the RED key opens', 'FIRST', 'fifty (5.0) [units] a|b', 'not there', 'é😀']),
  ).toEqual([2, 1, 4, null, null]);
});

test('a text with any printable characters is found beside the others', async () => {
  const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('');
  const texts = [
    'the well-known key opens',
    `a${printable.slice(1, 50)}`,
    `a${printable.slice(50)}`,
    'not-there',
  ];
  expect(await linesOf([texts.slice(0, 3).join('\n')], texts)).toEqual([1, 2, 3, null]);
});

test('of a long text only the first sixty characters must stand there', async () => {
  const quote = 'a sentence of many words that is much longer than sixty characters are';
  expect(await linesOf([`x\n${quote.slice(0, 62)} and goes on in another way`], [quote])).toEqual([2]);
});

test('a text is found wherever a part of the search ends', async () => {
  const before = 'y\n'.repeat(131_072);
  for (const shift of [-30, -4, -1, 0, 1])
    expect(await linesOf(cut(`${before.slice(0, 262_144 + shift)}the needle`), ['the needle'])).toEqual([
      before.slice(0, 262_144 + shift).split('\n').length,
    ]);
});

const printable = fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code));

test('no text is read as a pattern', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({
        unit: fc.oneof(printable, fc.string({ unit: 'binary', maxLength: 1 })),
        minLength: 1,
        maxLength: 50,
      }),
      async (text) => {
        const wanted = text.trim();
        if (wanted !== '' && !/\s/u.test(wanted))
          expect(await linesOf(cut(`a ${wanted} b`), [wanted])).toEqual([1]);
      },
    ),
  );
});

const cut = (text: string): string[] => text.match(/[\s\S]{1,10007}/gu) ?? [];

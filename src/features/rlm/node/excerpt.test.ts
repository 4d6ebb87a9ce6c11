import { expect, test } from 'vitest';
import { excerptAt } from './excerpt';

const text = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n');

test('an excerpt has twenty lines before and after the one that is asked for', () => {
  const { text: shown, from } = excerptAt(text, 50);
  const lines = shown.split('\n');
  expect([from, lines[0], lines.at(-1), lines.length]).toEqual([30, 'line 30', 'line 70', 41]);
});

test('at its ends a text has fewer lines, and a line beyond them gives the last one', () => {
  expect(excerptAt(text, 1)).toMatchObject({
    from: 1,
    text: expect.stringMatching(/^line 1\n[\s\S]*line 21$/),
  });
  expect(excerptAt(text, 100).text.endsWith('line 100')).toBe(true);
  expect(excerptAt(text, 5_000)).toEqual({ text: 'line 100', from: 100 });
  expect(excerptAt('', 3)).toEqual({ text: '', from: 1 });
});

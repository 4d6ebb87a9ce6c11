import { expect, test } from 'vitest';
import { excerptAt } from './excerpt';

const text = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n');

test('an excerpt has twenty lines before and after the requested one', async () => {
  const { text: shown, from } = await excerptAt(cut(text), 50);
  const lines = shown.split('\n');
  expect([from, lines[0], lines.at(-1), lines.length]).toEqual([30, 'line 30', 'line 70', 41]);
});

test('an excerpt at the ends of a text has fewer lines, and a line beyond them gives the last one', async () => {
  expect(await excerptAt(cut(text), 1)).toMatchObject({
    from: 1,
    text: expect.stringMatching(/^line 1\n[\s\S]*line 21$/),
  });
  expect((await excerptAt(cut(text), 100)).text.endsWith('line 100')).toBe(true);
  expect(await excerptAt(cut(text), 5_000)).toEqual({ text: 'line 100', from: 100 });
  expect(await excerptAt([], 3)).toEqual({ text: '', from: 1 });
});

test('an excerpt of a line without an end shows only its beginning', async () => {
  const endless = Array.from({ length: 50 }, () => 'x'.repeat(1_000));
  expect(await excerptAt(endless, 40)).toEqual({ text: 'x'.repeat(20_000), from: 1 });
});

const cut = (whole: string): string[] => whole.match(/[\s\S]{1,7}/gu) ?? [];

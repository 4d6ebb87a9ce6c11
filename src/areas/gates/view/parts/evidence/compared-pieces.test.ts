import { expect, test } from 'vitest';
import { comparedPieces } from './compared-pieces';

const piece = (title: string | undefined, text: string) => ({ kind: 'markdown' as const, title, text });

test('the first rework is compared with the draft that it revises, and a later one with the one before', () => {
  const draft = piece('draft', 'A long text.');
  const first = piece('Rework 1', 'A text.');
  const second = piece('Rework 2', 'Text.');
  expect(comparedPieces([draft], [first, draft])).toEqual([
    { name: 'draft → Rework 1', before: 'A long text.', now: 'A text.' },
    { name: 'draft', before: 'A long text.', now: 'A long text.' },
  ]);
  expect(comparedPieces([first, draft], [second, draft])[0]).toEqual({
    name: 'Rework 1 → Rework 2',
    before: 'A text.',
    now: 'Text.',
  });
});

test('pieces of the same name are compared, and added or removed ones stand alone', () => {
  const [one, other] = [piece('check', 'ok'), piece('review', 'fine')];
  expect(comparedPieces([piece(undefined, 'a')], [piece(undefined, 'b')])).toEqual([
    { name: 'Evidence', before: 'a', now: 'b' },
  ]);
  expect(comparedPieces([], [one, other])).toEqual([
    { name: 'check', before: null, now: 'ok' },
    { name: 'review', before: null, now: 'fine' },
  ]);
  expect(comparedPieces([one], [])).toEqual([{ name: 'check', before: 'ok', now: '' }]);
});

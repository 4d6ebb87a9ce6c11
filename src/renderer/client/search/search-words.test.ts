import { expect, test } from 'vitest';
import { fitOf, partsOf, searchWords } from './search-words';

const ranked = (text: string, titles: readonly string[]) =>
  titles
    .map((title) => ({ title, score: fitOf(title, '', text) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ title }) => title);

test('a title that begins with the text comes before one with a word that begins so', () => {
  expect(ranked('team', ['Start a team', 'Team notes', 'Go to Teams', 'Steam'])).toEqual([
    'Team notes',
    'Start a team',
    'Go to Teams',
    'Steam',
  ]);
});

test('letters that only occur one after another are no match', () => {
  expect(fitOf('Create the sample project', 'Projects', 'cost')).toBe(0);
});

test('every word must be found, in the title or in the other names', () => {
  expect(fitOf('Approve', 'Inbox', 'approve inbox')).toBeGreaterThan(0);
  expect(fitOf('Approve', 'Inbox', 'approve feed')).toBe(0);
});

test('a text is cut at the words that were found, whatever their case and signs', () => {
  expect(partsOf('Cost (C++) of cost', searchWords('cost c++'))).toEqual([
    { at: 0, text: 'Cost', found: true },
    { at: 4, text: ' (', found: false },
    { at: 6, text: 'C++', found: true },
    { at: 9, text: ') of ', found: false },
    { at: 14, text: 'cost', found: true },
  ]);
  expect(partsOf('nothing', [])).toEqual([{ at: 0, text: 'nothing', found: false }]);
});

test('words with any signs are found', () => {
  for (const word of ['well-known', '/a/b-c', '{x}|[y]', '^$.*+?()\\', '#&~`!@%=,;:<>"\'_'])
    expect(partsOf(`x ${word} y`, searchWords(word)).filter(({ found }) => found)).toEqual([
      { at: 2, text: word, found: true },
    ]);
});

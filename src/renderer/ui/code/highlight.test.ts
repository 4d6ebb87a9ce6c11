import { expect, test } from 'vitest';
import { highlightLines, MOST_CHARACTERS } from './highlight';
import { languageOf } from './highlight-language';

test('highlighting returns each line as it was, in pieces', () => {
  const lines = ['const a = `one', 'two`;', '', '// done <b>'];
  const coloured = highlightLines('typescript', lines);
  expect(coloured?.map((line) => line.map((piece) => piece.text).join(''))).toEqual(lines);
  expect(coloured?.[0]?.[0]).toEqual({ text: 'const', className: 'hljs-keyword' });
  // A token that spans two lines is coloured in both.
  expect(coloured?.[1]?.[0]).toEqual({ text: 'two`', className: 'hljs-string' });
});

test('a text that is too large or of an unknown language is not coloured', () => {
  expect(highlightLines('klingon', ['a'])).toBeNull();
  expect(highlightLines('json', ['x'.repeat(2_000)])).toBeNull();
  expect(highlightLines('json', Array(MOST_CHARACTERS / 10 + 1).fill('123456789'))).toBeNull();
});

test('languages are recognized by the names of files', () => {
  expect(['src/a.tsx', 'Makefile', 'a/b.yml', '.env', 'C:\\x\\y.PY', 'a.unknown'].map(languageOf)).toEqual([
    'typescript',
    'makefile',
    'yaml',
    null,
    'python',
    null,
  ]);
});

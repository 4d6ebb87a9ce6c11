import { expect, test } from 'vitest';
import { readFindings } from './findings';

test('findings are listed by severity, each with the place its reviewer named', () => {
  const text = JSON.stringify([
    { severity: 'low', text: 'Typo', file: 'README.md' },
    { severity: null, text: 'Unrated' },
    { severity: 'critical', text: 'Lock not freed', path: 'src/lock.ts', line: 12, fix: 'use finally' },
    'Only a sentence',
  ]);
  expect(readFindings(text)).toEqual([
    { severity: 'critical', text: 'Lock not freed', place: 'src/lock.ts:12', more: ['fix: use finally'] },
    { severity: 'low', text: 'Typo', place: 'README.md', more: [] },
    { severity: null, text: 'Unrated', place: null, more: [] },
    { severity: null, text: 'Only a sentence', place: null, more: [] },
  ]);
});

test('a text that is no list of findings is not shown as one', () => {
  for (const text of ['no JSON', '{"a": 1}', '[1]', '[null]']) expect(readFindings(text)).toBeNull();
});

import { expect, test } from 'vitest';
import { answerOnScreen, lastWords, newLines } from './answer';

test('what a program printed line by line is the answer, without the echo and its new prompt', () => {
  const before = ['Fake agent', '> '];
  const after = ['Fake agent', '> what is it?', '', 'It is', '42', '> '];
  expect(answerOnScreen({ before, after, prompt: 'what is it?' })).toBe('It is\n42');
});

test('what merely moved down a screen is no part of it', () => {
  const box = ['────────', '❯ ', '────────', '  auto mode on'];
  const before = ['Agent 1', '', ...box];
  const after = ['Agent 1', '', '❯ Hello', '  second line', '', '● hi there', '', ...box];
  expect(answerOnScreen({ before, after, prompt: 'Hello\nsecond line' })).toBe('● hi there');
});

test('the same line said again is said again', () => {
  expect(newLines(['ok', '> '], ['ok', '> go', 'ok', '> '])).toEqual(['> go', 'ok']);
});

test('the last words are the last lines with something on them', () => {
  expect(lastWords(['a', 'b', '╭────╮', 'c  ', '', '────'], 2)).toBe('b\nc');
});

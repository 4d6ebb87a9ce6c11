import { expect, test } from 'vitest';
import { sentinelShown } from './sentinel';

const DONE = '==DONE==';
const shown = (prompt: string, after: readonly string[], before: readonly string[] = ['Agent', '> ']) =>
  sentinelShown({ before, after: ['Agent', ...after], prompt, sentinel: DONE });

const PROMPT = 'Mend the parser, run its tests, and print ==DONE== when all of them have passed.';

test('a prompt that does not name the sentinel is answered by it anywhere', () => {
  expect(shown('go', ['> go', 'All is well. ==DONE==', '> '])).toBe(true);
  expect(shown('go', ['> go', 'working'])).toBe(false);
});

test('the echo of a prompt that names the sentinel is no end, however its lines are broken', () => {
  expect(shown(PROMPT, [`> ${PROMPT}`])).toBe(false);
  expect(
    shown(PROMPT, [
      '╭──────────────────────────────────────────╮',
      '│ > Mend the parser, run its tests, and print │',
      '│   ==DONE==                                  │',
      '│   when all of them have passed.             │',
      '╰──────────────────────────────────────────╯',
    ]),
  ).toBe(false);
  const wrapped = ['❯ Mend the parser, run its tests, and print', '  ==DONE==', '  when all of them'];
  expect(shown(PROMPT, wrapped)).toBe(false);
  expect(shown(PROMPT, [...wrapped, '  have passed.', '', ...wrapped, '  have passed.', '> '])).toBe(false);
});

test('a prompt that ends with the sentinel on a line of its own is answered by another one', () => {
  const prompt = `Mend the parser. When you are done, print:\n${DONE}`;
  const echo = ['> Mend the parser. When you are done, print:', DONE];
  expect(shown(prompt, echo)).toBe(false);
  expect(shown(prompt, [...echo, '', '● Mended.', '', `● ${DONE}`, '', '> '])).toBe(true);
  expect(shown(prompt, [...echo, DONE])).toBe(true);
});

test('an agent that mentions the sentinel has not printed it', () => {
  const told = [`> ${PROMPT}`, '', '● I will mend the parser and then print ==DONE== as asked.'];
  expect(shown(PROMPT, told)).toBe(false);
  expect(shown(PROMPT, [...told, '  ==DONE=='])).toBe(true);
});

test('a sentinel from before the turn does not end the turn', () => {
  const earlier = ['Agent', `> ${PROMPT}`, 'ok', DONE, '> '];
  const now = [`> ${PROMPT}`, 'ok', DONE, `> ${PROMPT}`];
  expect(shown(PROMPT, now, earlier)).toBe(false);
  expect(shown(PROMPT, [...now, 'ok again', DONE, '> '], earlier)).toBe(true);
});

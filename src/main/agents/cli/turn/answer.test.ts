import { expect, test } from 'vitest';
import { cliPresets } from '../program/presets';
import { answerOnScreen, drawnAgain, lastWords, newLines, wholeMessage } from './answer';

test('the lines that a program printed are the answer, without the echo and its new prompt', () => {
  const before = ['Fake agent', '> '];
  const after = ['Fake agent', '> what is it?', '', 'It is', '42', '> '];
  expect(answerOnScreen({ before, after, prompt: 'what is it?' })).toBe('It is\n42');
});

test('lines that merely moved down a screen are no part of the answer', () => {
  const box = ['────────', '❯ ', '────────', '  auto mode on'];
  const before = ['Agent 1', '', ...box];
  const after = ['Agent 1', '', '❯ Hello', '  second line', '', '● hi there', '', ...box];
  expect(answerOnScreen({ before, after, prompt: 'Hello\nsecond line' })).toBe('● hi there');
});

test('a line that is said again is part of the answer again', () => {
  expect(newLines(['ok', '> '], ['ok', '> go', 'ok', '> '])).toEqual(['> go', 'ok']);
});

test('the last words are the last lines with something on them', () => {
  expect(lastWords(['a', 'b', '╭────╮', 'c  ', '', '────'], 2)).toBe('b\nc');
});

test('old text whose lines are broken elsewhere in another width is no part of an answer', () => {
  const before = [
    ...['Fake agent', '❯ mend the parser', '', '● I have mended the parser, and all of its tests pass now.'],
    ...['────────────────────', '❯ '],
  ];
  const after = [
    ...[
      'Fake agent',
      '❯ mend the parser',
      '',
      '● I have mended the',
      '  parser, and all of',
      '  its tests pass now.',
    ],
    ...['❯ and its docs?', '', '● The docs are new.', '──────────', '❯ '],
  ];
  const old = drawnAgain(before, after);
  expect(old).toEqual(after.slice(0, 6).filter(Boolean));
  expect(answerOnScreen({ before: old, after, prompt: 'and its docs?' })).toBe('● The docs are new.\n\n❯');
  // A part of it may have scrolled away.
  expect(drawnAgain(before, after.slice(4))).toEqual(after.slice(4, 6));
});

test('a message that is broken over lines is read whole, with the end of its limit', () => {
  const screen = [
    ...[
      '› go on',
      '',
      "■ You've hit your usage limit. Upgrade to Pro, visit the settings to purchase more credits or try",
    ],
    ...['  again at Nov 23rd, 2026 3:05 AM.', '', '› Ask Codex to do anything'],
  ];
  const found = cliPresets.codex.trouble?.exec(screen.join('\n'));
  expect(found && wholeMessage(screen, found)).toBe(
    "You've hit your usage limit. Upgrade to Pro, visit the settings to purchase more credits or try again at Nov 23rd, 2026 3:05 AM.",
  );
  expect(found && wholeMessage(screen.slice(0, 4), found)).toMatch(/credits or try$/);
});

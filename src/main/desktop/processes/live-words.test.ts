import { expect, test } from 'vitest';
import { liveWords } from './live-words';

const work = { turns: 0, commands: 0, limitEndsAt: null };

test('the question before quitting names the work in progress, and is not asked without any', () => {
  expect(liveWords(work)).toBeNull();
  expect(liveWords({ ...work, turns: 1 })).toBe('1 turn is still running.');
  expect(liveWords({ ...work, turns: 2, commands: 1, limitEndsAt: 5 })).toBe(
    '2 turns and 1 command are still running.',
  );
});

test('a turn that goes on by itself in the night is asked about', () => {
  const limitEndsAt = new Date(2026, 10, 23, 3, 10).getTime();
  expect(liveWords({ ...work, limitEndsAt })).toMatch(/^A turn is waiting for .* and continues at .*10.*\.$/);
});

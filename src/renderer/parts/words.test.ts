import { expect, test } from 'vitest';
import { nowWords } from './words';

test('what a run does now leaves out the name of the run', () => {
  const name = 'Loop: ralph/x';
  expect(nowWords({ name, now: `Waiting: ${name}: blocked at US-001` })).toBe('Waiting: blocked at US-001');
  expect(nowWords({ name, now: 'Build: Prompt' })).toBe('Build: Prompt');
  expect(nowWords({ name, now: null })).toBe('');
});

import { expect, test } from 'vitest';
import { sentence } from './format';

test('an error that stands alone begins like a sentence, but for a name', () => {
  expect(sentence('the command ended with exit code 3')).toBe('The command ended with exit code 3');
  expect(sentence('plan.yaml: no steps')).toBe('plan.yaml: no steps');
  expect(sentence('"build" failed')).toBe('"build" failed');
});

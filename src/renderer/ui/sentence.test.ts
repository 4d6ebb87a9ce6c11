import { expect, test } from 'vitest';
import { sentence, wholeSentence } from './sentence';

test('an error that stands alone begins like a sentence, but for a name', () => {
  expect(sentence('the command ended with exit code 3')).toBe('The command ended with exit code 3');
  expect(sentence('plan.yaml: no steps')).toBe('plan.yaml: no steps');
  expect(sentence('"build" failed')).toBe('"build" failed');
});

test('an error below a field is a whole sentence, however it was written', () => {
  expect(wholeSentence('is missing; expected a text')).toBe('Is missing; expected a text.');
  expect(wholeSentence('Choose a profile.')).toBe('Choose a profile.');
});

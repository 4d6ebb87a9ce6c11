import { appError } from '@contract/errors';
import { expect, test } from 'vitest';
import { blankQuestion, missing, pathsOf, previewOf, readDraft, startOf, unreadable } from './form';

const whole = {
  ...blankQuestion('root'),
  question: ' Why? ',
  documents: ' docs \n\n**/*.md\n',
  background: 'yes',
  tokens: '5000',
  weak: 'yes',
};

test('a filled form gives the question with its documents, models and limits', () => {
  expect(missing(whole)).toBeNull();
  expect(startOf(3, whole)).toEqual({
    projectId: 3,
    question: 'Why?',
    documents: ['docs', '**/*.md'],
    root: { profile: 'root' },
    sub: null,
    verify: null,
    iterations: 20,
    subcalls: 2_000,
    tokens: 5_000,
    backgroundKnowledge: true,
    allowWeakSandbox: true,
  });
  const models = { sub: { profile: 'small' }, verify: { profile: 'other' } };
  expect(startOf(3, { ...whole, sub: 'small', verify: 'other' })).toMatchObject(models);
});

test.each([
  [{ question: ' ' }, 'Enter a question.'],
  [{ documents: '\n \n' }, 'Enter the documents.'],
  [{ root: '' }, 'Choose the model that writes the code.'],
  [{ iterations: '0' }, 'Iterations must be a whole number from 1 to 1000.'],
  [{ subcalls: '1.5' }, 'Sub-calls must be a whole number from 1 to 100000.'],
  [{ tokens: '-1' }, 'The token budget must be a whole number above 0, or empty.'],
])('the form with %j is refused', (change, why) => {
  expect(missing({ ...whole, ...change })).toBe(why);
});

test('a preview is requested as soon as documents are named, also while a number is being typed', () => {
  expect(previewOf(3, blankQuestion('root'))).toBeNull();
  expect(previewOf(3, { ...whole, iterations: '' })).toEqual({
    projectId: 3,
    question: ' Why? ',
    documents: ['docs', '**/*.md'],
  });
});

test('a draft is read as it was kept, and anything else begins empty', () => {
  expect(readDraft(JSON.stringify(whole), blankQuestion('other'))).toEqual(whole);
  for (const text of ['', 'null', '[1]', '{"root":7,"other":"x"}'])
    expect(readDraft(text, blankQuestion('root'))).toEqual(blankQuestion('root'));
  expect(pathsOf({ documents: 'a\r\n b ' })).toEqual(['a', 'b']);
});

test('documents that cannot be read hold the question back, and an unfinished look does not', () => {
  expect(unreadable(appError('input.invalid', 'Git ignores all files of docs.'), null)).toBe(
    'Change the documents first.',
  );
  expect(unreadable(null, { count: 0 })).toBe('None of these files is a text.');
  expect(unreadable(null, { count: 2 })).toBeNull();
  expect(unreadable(null, null)).toBeNull();
  expect(unreadable(appError('unavailable', 'The core is starting.'), null)).toBeNull();
});

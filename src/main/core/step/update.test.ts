import { expect, test } from 'vitest';
import type { ObservedTurn } from './module';
import { turnUpdate } from './update';

const view = { stepId: 'draft', title: 'Draft the notes', activationId: 1 };
const turn: ObservedTurn = {
  turnId: 1,
  ordinal: 1,
  of: 3,
  completed: true,
  ended: 'completed',
  retry: 0,
  usage: null,
  commit: null,
  errorText: null,
  lane: null,
  whole: '',
  response: '## **Done**\n\n- [x] `next`\n\n```ts\ncode\n```\n',
};

const textOf = (more: Partial<ObservedTurn>) => {
  const posted = turnUpdate(view, { ...turn, ...more });
  return posted.type === 'update.posted' ? posted.text : null;
};

test('an update posts the same clean lines as a loop does', () => {
  expect(textOf({})).toBe(
    'Iteration 2/3\nStory: draft - Draft the notes\nResult: completed\nCommit: none\nSummary: next',
  );
  expect(textOf({ response: ' \n' })).toMatch(/\nSummary: \(no text\)$/);
  expect(textOf({ completed: false, ended: 'failed', errorText: 'It **broke**.' })).toMatch(
    /\nResult: failed\nCommit: none\nSummary: It broke\.$/,
  );
});

const ended = (how: ObservedTurn['ended'], more: Partial<ObservedTurn> = {}) =>
  textOf({ completed: false, ended: how, response: '', errorText: `ended with ${how}`, ...more })?.split(
    '\n',
  );

test('an update says a retry in its first line', () => {
  expect(textOf({ retry: 1 })).toMatch(/^Iteration 2\/3 \(retry 1\)\n/);
});

test('an update says of a turn that it was cut off or stopped, in the words of a loop', () => {
  const reason = 'Muster ended while it was in flight';
  expect(ended('interrupted', { errorText: reason })?.slice(2)).toEqual([
    'Result: failed',
    'Commit: none',
    `Summary: The attempt was interrupted. ${reason}`,
  ]);
  expect(ended('interrupted', { response: '**Half**\nof it' })?.slice(4)).toEqual([
    'Summary: The attempt was interrupted. Half',
    'of it',
  ]);
  expect(ended('cancelled')?.slice(2)).toEqual([
    'Result: failed',
    'Commit: none',
    'Summary: The attempt was stopped.',
  ]);
});

test("an update takes a provider's limit for something that waits, not for a failure", () => {
  expect(ended('limit', { errorText: 'The limit is reached.' })?.slice(2)).toEqual([
    'Result: blocked',
    'Commit: none',
    'Summary: The limit is reached.',
  ]);
});

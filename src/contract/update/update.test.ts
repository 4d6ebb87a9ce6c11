import { expect, it } from 'vitest';
import { formatUpdate, type Update } from './update';

const update: Update = {
  iteration: 2,
  of: 5,
  retry: 0,
  story: { id: 'US-003', title: 'Login' },
  storySource: 'prd',
  result: 'completed',
  commit: 'abc1234',
  summary: ['Done.'],
};

it('has five labelled lines in this order (seed 004, 7)', () => {
  expect(formatUpdate(update)).toBe(
    'Iteration 2/5\nStory: US-003 - Login\nResult: completed\nCommit: abc1234\nSummary: Done.',
  );
});

it('puts the second and third line of a summary behind it without a label, marks a retry, and says unknown and none', () => {
  const other: Update = {
    ...update,
    retry: 1,
    story: null,
    commit: null,
    result: 'failed',
    summary: ['a', 'b', 'c'],
  };
  expect(formatUpdate(other)).toBe(
    'Iteration 2/5 (retry 1)\nStory: unknown\nResult: failed\nCommit: none\nSummary: a\nb\nc',
  );
  expect(formatUpdate({ ...update, story: { id: 'US-003', title: null } })).toContain(
    'Story: US-003 - unknown',
  );
});

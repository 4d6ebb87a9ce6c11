import { expect, it } from 'vitest';
import type { ObservedTurn } from './module';
import { turnUpdate } from './update';

const view = { stepId: 'draft', title: 'Draft the notes', activationId: 1 };
const turn: ObservedTurn = {
  ...{
    turnId: 1,
    ordinal: 1,
    of: 3,
    completed: true,
    usage: null,
    commit: null,
    errorText: null,
    lane: null,
  },
  response: '## **Done**\n\n- [x] `next`\n\n```ts\ncode\n```\n',
};

const textOf = (more: Partial<ObservedTurn>) => {
  const posted = turnUpdate(view, { ...turn, ...more });
  return posted.type === 'update.posted' ? posted.text : null;
};

it('posts the same clean lines as a loop does', () => {
  expect(textOf({})).toBe(
    'Iteration 2/3\nStory: draft - Draft the notes\nResult: completed\nCommit: none\nSummary: Done\nnext',
  );
  expect(textOf({ response: ' \n' })).toMatch(/\nSummary: \(no text\)$/);
  expect(textOf({ completed: false, errorText: 'It **broke**.' })).toMatch(
    /\nResult: failed\nCommit: none\nSummary: It broke\.$/,
  );
});

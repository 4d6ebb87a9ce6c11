import { expect, test } from 'vitest';
import { saysStuck, saysUnfinished } from './plain-words';

const BLOCKED = [
  'Waiting for your approval before I go on.',
  'US-002 is blocked: the API key is missing.',
  'I am waiting for credentials.',
  'I need access to the staging database to proceed.',
  'Please provide the API key so that I can continue.',
  'Could you tell me which database to use?',
  'Which of the two layouts do you want?',
  'This requires a decision from you.',
  'I can’t go any further without the credentials.',
  'Blocked on missing credentials.',
  "I don't have permission to install packages.",
  'The story is blocked by US-001.',
  'A human needs to decide which licence applies.',
  'Cannot proceed without network access.',
  'I have stopped here because the specification contradicts itself; please clarify.',
  'Please confirm that I may delete the old table.',
  'Progress is blocked until the token is renewed.',
  'Awaiting your decision on the schema.',
  'I need you to run the migration by hand.',
  'The work cannot continue until someone grants access.',
  'Let me know which option you prefer.',
  'Should I use Postgres or SQLite?',
  'The endpoint is not described anywhere. How should I name it?',
  '- I am currently blocked.',
  'Blocked: no network',
];
const UNFINISHED = [
  'I was not able to finish the migration.',
  'The story is not finished.',
  'US-003 is not complete yet.',
  'I ran out of time before the last step.',
  'The implementation is incomplete.',
  'Two tests are still failing.',
  'I did not finish the form.',
  'There are still type errors.',
  'I could not get the build to pass.',
  'This is only partially implemented.',
  'The typecheck does not pass yet.',
  'I haven’t finished the story.',
  'I had to stop before the tests were written.',
  'The build is broken and I did not find out why.',
  'Tests are failing and I have not fixed them.',
  'Work remains: the endpoint has no validation.',
  'I gave up on the drag handling.',
  'The remaining criteria are not met.',
  'I left the story unfinished.',
  'More work is needed before this story passes.',
  'Not done: the criterion about errors.',
  'US-007 remains incomplete.',
];
const HARMLESS = [
  'All tests pass, 0 failed.',
  'Fixed the blocked state of the button.',
  'The request is no longer blocked by CORS.',
  'Added a test for the case that the user cannot continue.',
  'If you need your input validated, call check().',
  'Waiting for the server to start is now done in a helper.',
  'The waiting list shows blocked users.',
  'I was stuck at first, but the mock fixed it.',
  'Initially two tests were failing; they pass now.',
  'Let me know if you have any questions.',
  'Please review the changes when you have time.',
  'The form asks which colour the user wants.',
  'Unblocked the queue by removing the lock.',
  'Implemented error handling for incomplete uploads.',
  'The dialog says "not finished" while the upload runs.',
  'Nothing is blocked.',
  'No further work is needed.',
  'I did not need to change the schema.',
  "Users without permission can't proceed to checkout.",
  'Removed the failing test from the skip list; everything passes.',
  'The parser now reports an incomplete document.',
  'Marked partially filled forms as drafts.',
  'Do you want me to update the changelog as well?',
  'Should I continue with US-002 next?',
  'The API key is missing in the example on purpose.',
  'Story US-001 no longer blocks US-002.',
  'Typecheck passes, tests pass, nothing remains.',
  'No tests are failing.',
  'What did I change?',
  'Let me know what you think.',
  'Blocked: none',
  'The login page asks the user to confirm before the account is deleted.',
];

test.each(BLOCKED)('a worker with these words is blocked: %s', (sentence) => {
  expect(saysStuck(`Looked at the code.\n${sentence}`)).toBe(true);
});

test.each(UNFINISHED)('a worker with these words has not finished: %s', (sentence) => {
  expect(saysUnfinished(`Looked at the code. ${sentence}`)).toBe(true);
});

test.each(HARMLESS)('a worker with these words raises no false alarm: %s', (sentence) => {
  expect([saysStuck(sentence), saysUnfinished(sentence)]).toEqual([false, false]);
});

import { double } from '@contract/testing/double';
import type { Context } from '@main/cli/command';
import { expect, test } from 'vitest';
import { rlmCommand } from '.';

const said = async (...words: string[]) => {
  const ended = await rlmCommand.run(double<Context>({}), { words, flags: {} });
  return ended.ok ? null : ended.error;
};

test.each([
  ['ask', 'rlm ask needs QUESTION', 'muster rlm ask QUESTION'],
  ['trace', 'rlm trace needs RUN', 'muster rlm trace RUN'],
  ['interrupt', 'rlm interrupt needs RUN', 'muster rlm interrupt RUN'],
])('A question with a missing part is refused with that part: %s', async (verb, message, mend) => {
  expect(await said(verb)).toMatchObject({ code: 'input.invalid', message, mend });
});

test('An unknown verb is refused with the known ones', async () => {
  expect(await said('toString')).toMatchObject({
    message: expect.stringContaining('"toString" is not a command'),
  });
});

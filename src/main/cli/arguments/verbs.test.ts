import { ok } from '@contract/result';
import { expect, test } from 'vitest';
import type { Context } from '../command';
import { EXIT } from '../exit';
import { verbCommand } from './verbs';

const calls: (readonly string[])[] = [];
const run = (_: unknown, { words }: { readonly words: readonly string[] }) => {
  calls.push(words);
  return Promise.resolve(ok(EXIT.ok));
};
const made = verbCommand({
  name: 'board',
  summary: 'Shows a board.',
  words: 'VERB [RUN] [...]',
  flags: {},
  verbs: {
    list: { words: '', help: 'all boards', run },
    show: { words: 'RUN[/STEP] [N]', help: 'one board', run },
    tasks: { words: 'RUN [add TEXT|free N|clear]', help: 'its tasks', run },
  },
});

test('a verb takes the words that its usage names, the last one only if it is optional', async () => {
  const takes = async (...words: string[]) => (await made.run({} as Context, { words, flags: {} })).ok;
  expect([made.least, made.most]).toEqual([1, 4]);
  expect(await Promise.all([takes('list'), takes('list', '1')])).toEqual([true, false]);
  expect(await Promise.all([takes('show'), takes('show', '1'), takes('show', '1', '2')])).toEqual([
    false,
    true,
    true,
  ]);
  expect(await takes('tasks', '1', 'add', 'a text')).toBe(true);
  expect(await takes('tasks', '1', 'add', 'a', 'text')).toBe(false);
  expect(calls).toContainEqual(['tasks', '1', 'add', 'a text']);
});

test('a verb that does not exist is refused with those that do', async () => {
  expect(await made.run({} as Context, { words: ['burn'], flags: {} })).toMatchObject({
    error: {
      message: 'board: there is no verb "burn"',
      mend: 'one of: list, show RUN[/STEP] [N], tasks RUN [add TEXT|free N|clear]',
    },
  });
  expect(made.more).toMatch(/^ {2}show RUN\[\/STEP\] \[N\] +one board$/m);
});

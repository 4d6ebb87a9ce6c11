import { expect, test } from 'vitest';
import { KeyedCommands } from './keyed-commands';

test('the second of two commands under one key begins when the first has ended, and others do not wait', async () => {
  const commands = new KeyedCommands();
  const begun: string[] = [];
  let end = (_said: string) => {};
  const act = (name: string, work: Promise<string> | string) => async () => {
    begun.push(name);
    return work;
  };
  const first = commands.inTurn(
    { runId: 1, key: 'K1' },
    act('first', new Promise((resolve) => (end = resolve))),
  );
  const second = commands.inTurn({ runId: 1, key: 'K1' }, act('second', 'two'));
  await commands.inTurn({ runId: 1, key: 'K2' }, act('other key', ''));
  await commands.inTurn({ runId: 2, key: 'K1' }, act('other run', ''));
  await commands.inTurn({ runId: 1 }, act('no key', ''));
  expect(begun).toEqual(['first', 'other key', 'other run', 'no key']);
  end('one');
  expect(await Promise.all([first, second])).toEqual(['one', 'two']);
  expect(begun.at(-1)).toBe('second');
});

test('a bug in the first command does not block the second', async () => {
  const commands = new KeyedCommands();
  const sent = { runId: 1, key: 'K1' };
  const first = commands.inTurn(sent, () => Promise.reject(new Error('a bug')));
  const second = commands.inTurn(sent, async () => 'two');
  await expect(first).rejects.toThrow('a bug');
  expect(await second).toBe('two');
});

import { expect, test } from 'vitest';
import { outgoing, putBack } from './outgoing';

test('messages are sent one after the other, in order, also when an earlier one takes longer', async () => {
  const send = outgoing();
  const begun: string[] = [];
  let answer = (_taken: boolean) => {};
  const first = send(
    () => {
      begun.push('first');
      return new Promise<boolean>((resolve) => {
        answer = resolve;
      });
    },
    () => begun.push('first refused'),
  );
  const second = send(
    async () => {
      begun.push('second');
      return true;
    },
    () => begun.push('second refused'),
  );
  await Promise.resolve();
  expect(begun).toEqual(['first']);
  answer(false);
  await Promise.all([first, second]);
  expect(begun).toEqual(['first', 'first refused', 'second']);
});

test('a bug in one message is reported, gives it back, and does not stop the next', async () => {
  const send = outgoing();
  const back: string[] = [];
  const first = send(
    () => Promise.reject(new Error('a bug')),
    () => back.push('first'),
  );
  await expect(first).rejects.toThrow('a bug');
  await send(
    async () => true,
    () => back.push('second'),
  );
  expect(back).toEqual(['first']);
});

test('an unsent text comes back before the text written since', () => {
  expect(putBack('said')('')).toBe('said');
  expect(putBack('said')(' \n')).toBe('said');
  expect(putBack('said')('more')).toBe('said\nmore');
});

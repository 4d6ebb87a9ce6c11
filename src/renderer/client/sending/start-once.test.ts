import { expect, test } from 'vitest';
import { StartOnce } from './start-once';

test('the uid of a start is kept until it is answered', async () => {
  const once = new StartOnce();
  const uids: string[] = [];
  const press = (answer: { runId: number } | null) =>
    once.begin(async (uid) => {
      uids.push(uid);
      return answer;
    });
  expect(await press(null)).toBeNull();
  expect(await press({ runId: 1 })).toEqual({ runId: 1 });
  await press(null);
  once.forget();
  await press(null);
  const [first, second, third, fourth] = uids;
  expect(second).toBe(first);
  expect(new Set([first, third, fourth]).size).toBe(3);
});

import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import { runRow } from '@main/api/testing/run-row';
import { expect, test } from 'vitest';
import { actOnAll, allowed } from './bulk-acts';

const runs = [
  runRow({ id: 1 }),
  runRow({ id: 2, status: 'failed', finishedAt: 5 }),
  runRow({ id: 3, status: 'succeeded', finishedAt: 5 }),
  runRow({ id: 4, status: 'cancelled', finishedAt: 5, binnedAt: 6 }),
  runRow({ id: 5, status: 'cancelling' }),
  runRow({ id: 6, status: 'failed' }),
];
const ids = (act: Parameters<typeof allowed>[0]) => allowed(act, runs).map(({ id }) => id);

test('each act on several runs takes those that it is possible for', () => {
  expect([ids('bin'), ids('restore'), ids('cancel'), ids('resume')]).toEqual([[2, 3], [4], [1, 6], [2]]);
});

test('a run that refuses does not keep the others from the act, and is counted', async () => {
  const asked: number[] = [];
  const outcome = await actOnAll(runs.slice(0, 3), async (id) => {
    asked.push(id);
    return id === 1 ? err(appError('conflict', 'it is still running')) : ok({});
  });
  expect(asked).toEqual([1, 2, 3]);
  expect(outcome.done.map(({ id }) => id)).toEqual([2, 3]);
  expect(outcome.error?.message).toBe('1 run of 3 stayed as before: it is still running');
});

test('without the core, the remaining runs are not asked for', async () => {
  const asked: number[] = [];
  const outcome = await actOnAll(runs, async (id) => {
    asked.push(id);
    return err(appError('unavailable', 'the core restarts'));
  });
  expect([asked, outcome.done, outcome.error?.code]).toEqual([[1], [], 'unavailable']);
});

import type { GateRow } from '@areas/gates/contract/procedures';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gateList } from './gate-list';

const gate = (gateId: number, status: GateRow['status'] = 'open') =>
  ({ runId: 1, gateId, status, openedAt: gateId, closedAt: gateId }) as GateRow;

let answers: ((result: Result<readonly GateRow[]>) => void)[];
let tell: (rows: readonly GateRow[]) => void;
let lose: () => void;

function listOf(status: 'open' | 'closed', most = 3) {
  answers = [];
  const list = gateList(
    {
      fetch: () => new Promise((resolve) => answers.push(resolve)),
      follow: (heard, lost) => {
        tell = heard;
        lose = lost;
        return () => undefined;
      },
    },
    { status, most },
  );
  list.subscribe(() => undefined);
  return { list, ids: () => list.get().value?.map((row) => row.gateId) };
}
const answer = async (result: Result<readonly GateRow[]>, at = 0) => {
  answers.splice(at, 1)[0]?.(result);
  await Promise.resolve();
  await Promise.resolve();
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the list of gates has the longest waiting first, and takes in pushed gates', async () => {
  const { ids } = listOf('open');
  await answer(ok([gate(2), gate(1)]));
  tell([gate(3), gate(1, 'resolved')]);
  expect(ids()).toEqual([2, 3]);
});

test('the list of gates reads on where there are more than one page', async () => {
  const { ids } = listOf('open');
  await answer(ok([gate(1), gate(2), gate(3)]));
  tell([gate(1, 'resolved')]);
  expect(ids()).toEqual([2, 3]);
  await vi.runAllTimersAsync();
  await answer(ok([gate(2), gate(3), gate(4)]));
  expect(ids()).toEqual([2, 3, 4]);
});

test('the list of gates keeps pushed gates beyond the end of the next page', async () => {
  const { ids } = listOf('open');
  await answer(ok([gate(1), gate(2), gate(3)]));
  tell([gate(8), gate(9)]);
  await vi.runAllTimersAsync();
  await answer(ok([gate(1), gate(3), gate(4)]));
  expect(ids()).toEqual([1, 3, 4, 8, 9]);
  tell([gate(8, 'resolved')]);
  await vi.runAllTimersAsync();
  await answer(ok([gate(1), gate(3)]));
  expect(ids()).toEqual([1, 3]);
});

test('the list of gates trusts nothing that it had once a push was lost', async () => {
  const { ids } = listOf('open');
  await answer(ok([gate(1), gate(2), gate(3)]));
  tell([gate(9)]);
  lose();
  await answer(ok([gate(1), gate(2), gate(3)]));
  expect(ids()).toEqual([1, 2, 3]);
});

test('the list of gates does not count as fresh by a push after a failed reading', async () => {
  const { list, ids } = listOf('open');
  await answer(ok([gate(1)]));
  lose();
  await answer(err(appError('unavailable', 'no core')));
  expect(list.get().status).toBe('failed');
  tell([gate(5)]);
  expect(list.get().status).toBe('failed');
  await answer(ok([gate(5)]));
  expect([list.get().status, ids()]).toEqual(['ready', [5]]);
});

test('a reply that is older than another one is ignored', async () => {
  const { ids } = listOf('open');
  lose();
  await answer(ok([gate(2)]), 1);
  await answer(ok([gate(1)]));
  expect(ids()).toEqual([2]);
});

test('the list keeps the newest of the closed gates, and no more', async () => {
  const { ids } = listOf('closed');
  await answer(ok([gate(3, 'resolved'), gate(2, 'resolved'), gate(1, 'resolved')]));
  tell([gate(4, 'withdrawn')]);
  expect(ids()).toEqual([4, 3, 2]);
});

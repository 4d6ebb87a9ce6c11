import type { RunRow } from '@contract/run/procedures';
import type { RunQuery } from '@main/core/ports/store/store';
import { expect, test } from 'vitest';
import { lastRuns } from './last-runs';

/** Runs by number; the first has been running since yesterday. */
function storeOf(count: number) {
  const all = Array.from({ length: count }, (_, index) => ({ id: count - index }) as RunRow);
  return {
    runs({ limit, before = Number.POSITIVE_INFINITY, unfinished = false }: RunQuery) {
      const found = all.filter(({ id }) => id < before && (!unfinished || id === 1));
      return { rows: found.slice(0, limit), more: found.length > limit };
    },
  };
}
const ids = (count: number, limit: number) => lastRuns(storeOf(count), limit).rows.map(({ id }) => id);

test('runs that go on stay in the lists, whatever was run since', () => {
  expect(ids(50, 3)).toEqual([50, 49, 48, 1]);
});

test('a run is listed only once', () => {
  expect(ids(3, 3)).toEqual([3, 2, 1]);
  expect(ids(4, 3)).toEqual([4, 3, 2, 1]);
  expect(ids(0, 3)).toEqual([]);
});

test('the list of the last runs says whether there are earlier ones', () => {
  expect([lastRuns(storeOf(3), 3).more, lastRuns(storeOf(4), 3).more]).toEqual([false, true]);
});

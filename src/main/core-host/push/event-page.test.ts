import type { StoredEvent } from '@contract/run/events';
import { expect, test } from 'vitest';
import { pageOf } from './event-page';

const events = [10, 5_000, 10, 10].map(
  (size, index) =>
    ({
      id: index,
      runId: 1,
      seq: index + 1,
      at: 1,
      event: { type: 'run.binned', by: 'x'.repeat(size) },
    }) as StoredEvent,
);
const seqs = (page: readonly StoredEvent[]): number[] => page.map(({ seq }) => seq);

test('A page of events ends at its count or before the event that passes its bytes, and has one at least', () => {
  expect(seqs(pageOf(events, { limit: 3 }))).toEqual([1, 2, 3]);
  expect(seqs(pageOf(events, { limit: 9, bytes: 1_000 }))).toEqual([1]);
  expect(seqs(pageOf(events.slice(1), { limit: 9, bytes: 1_000 }))).toEqual([2]);
  expect(seqs(pageOf(events.slice(2), { limit: 9, bytes: 1_000 }))).toEqual([3, 4]);
  expect(pageOf([], { limit: 9, bytes: 1 })).toEqual([]);
});

test('A page reads no further than it has to', () => {
  const read: number[] = [];
  function* following() {
    for (const event of events) {
      read.push(event.seq);
      yield event;
    }
  }
  pageOf(following(), { limit: 1 });
  expect(read).toEqual([1]);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { olderDatabase } from '../testing/older';
import { Place } from '../testing/place';

let place: Place;
beforeEach(() => {
  place = new Place();
  olderDatabase(place.path, 2);
});
afterEach(() => place.remove());

const outputPath = '/artifacts/01SAMPLE/commands/c1.log';
const opened = { kind: 'opened', outputPath, uid: '01SAMPLE', name: 'c1', at: 100 } as const;
const lengths = (...all: readonly [offset: number, at: number][]) =>
  ({ kind: 'lengths', outputPath, lengths: all.map(([offset, at]) => ({ offset, at })) }) as const;

test('what is noted is there after the end, with what was printed when', () => {
  const store = place.open();
  for (const change of [opened, lengths([10, 110], [30, 130])]) store.noteTerminal(change);
  store.noteTerminal({ kind: 'opened', outputPath: '/elsewhere', uid: 'NONE', name: 'c1', at: 1 });
  store.close();
  const again = place.open();
  expect(again.terminalsOf(1)).toEqual([
    { runId: 1, name: 'c1', outputPath, openedAt: 100, closedAt: null, bytes: 30, evicted: 0 },
  ]);
  expect([109, 110, 129, 130, 999].map((at) => again.terminalLengthAt(1, 'c1', at))).toEqual([
    null,
    10,
    10,
    30,
    30,
  ]);
  expect(again.terminalBytes()).toBe(30);
  again.closeTerminals();
  expect(again.terminalsOf(1)).toMatchObject([{ closedAt: 130 }]);
  again.noteTerminal(opened);
  again.noteTerminal({ kind: 'evicted', outputPath, before: 20 });
  again.close();
  const last = place.open();
  expect(last.terminalsOf(1)).toMatchObject([{ closedAt: null, bytes: 30, evicted: 20 }]);
  expect(last.terminalLengthAt(1, 'c1', 120)).toBe(null);
});

test('a terminal of a run in progress is never to be dropped', () => {
  const store = place.open();
  store.noteTerminal(opened);
  store.noteTerminal(lengths([10, 110]));
  store.noteTerminal({ kind: 'closed', outputPath, at: 120 });
  store.close();
  expect(place.open().droppableTerminals(10)).toEqual([]);
});

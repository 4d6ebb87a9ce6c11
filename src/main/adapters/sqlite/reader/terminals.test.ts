import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../../core/ports/store/store';
import { connect } from '../connection';
import { olderDatabase } from '../testing/older';
import { Place } from '../testing/place';

let place: Place;
beforeEach(() => {
  place = new Place();
  olderDatabase(place.path, 1);
  const db = connect(place.path);
  db.exec('delete from terminals');
  db.close();
});
afterEach(() => place.remove());

const outputPath = '/artifacts/01SAMPLE/commands/c1.log';
const opened = { kind: 'opened', outputPath, uid: '01SAMPLE', name: 'c1', at: 100 } as const;
const printed = (bytes: number) => ({ kind: 'printed', outputPath, bytes }) as const;
const recent = (store: Store) => store.recentTerminals({ limit: 10 });

test('a noted terminal is there after the end, with how much was printed', () => {
  const store = place.open();
  for (const change of [opened, printed(10), printed(30)]) store.noteTerminal(change);
  store.noteTerminal({ kind: 'opened', outputPath: '/elsewhere', uid: 'NONE', name: 'c1', at: 1 });
  store.close();
  const again = place.open();
  expect(recent(again)).toMatchObject([
    { runId: 1, name: 'c1', outputPath, openedAt: 100, bytes: 30, evicted: 0 },
  ]);
  expect(again.terminalBytes()).toBe(30);
  again.noteTerminal({ kind: 'evicted', outputPath, before: 20 });
  again.close();
  const last = place.open();
  expect(recent(last)).toMatchObject([{ bytes: 30, evicted: 20 }]);
});

test('a terminal of a run in progress is never to be dropped', () => {
  const store = place.open();
  store.noteTerminal(opened);
  store.noteTerminal(printed(10));
  store.noteTerminal({ kind: 'closed', outputPath, at: 120 });
  store.close();
  expect(place.open().droppableTerminals(10)).toEqual([]);
});

test('a terminal that an earlier core left open may be dropped with its run, unless it is opened again', () => {
  const store = place.open();
  store.noteTerminal(opened);
  store.noteTerminal(printed(10));
  store.close();
  const again = place.open();
  again.binUnread(1, true, 130);
  expect(again.droppableTerminals(10)).toEqual([]);
  again.closeTerminals(140);
  expect(again.droppableTerminals(10)).toMatchObject([{ name: 'c1', bytes: 10 }]);
  again.noteTerminal(opened);
  again.close();
  expect(place.open().droppableTerminals(10)).toEqual([]);
});

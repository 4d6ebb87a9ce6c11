import type { GateRow } from '@areas/gates/contract/procedures';
import { describe, expect, test } from 'vitest';
import { gateItem, itemsBesides } from './parts/items';
import {
  type Address,
  afterShown,
  afterwards,
  attentionRows,
  listedItems,
  rowsByRun,
  selectionOf as select,
} from './rows';

type Lists = Parameters<typeof select>[1];
/** No item is hidden from the list. */
const selectionOf = (address: Address, lists: Omit<Lists, 'all'>) =>
  select(address, { ...lists, all: new Set(lists.waiting) });

const waitingRows = (gates: readonly GateRow[], now: number) => attentionRows(gates.map(gateItem), now);

const gate = (gateId: number, snoozedUntil: number | null = null) =>
  ({ runId: 1, gateId, snoozedUntil }) as GateRow;

describe('the inbox', () => {
  test('the inbox keeps snoozed gates apart, the first to come back on top', () => {
    const rows = waitingRows([gate(1, 500), gate(2), gate(3, 200), gate(4, 50)], 100);
    expect(rows.map((row) => row.key)).toEqual(['1/2', '1/4', 'snoozed', '1/3', '1/1']);
  });

  test('the rows of the same items are made once, and again for another search, order or end of a snooze', () => {
    const shape = { search: '', project: null, byRun: false };
    const items = [gate(1), gate(2)].map(gateItem);
    const first = listedItems(items, shape, 100);
    expect(first).toMatchObject({ keys: ['1/1', '1/2'], all: new Set(['1/1', '1/2']) });
    expect(listedItems(items, { ...shape }, 200)).toBe(first);
    expect(listedItems(items, { ...shape, search: 'x' }, 200)).toMatchObject({ keys: [], all: first.all });
    expect(listedItems(items, { ...shape, byRun: true }, 200).rows).toHaveLength(3);
    expect(listedItems([...items, gateItem(gate(3))], shape, 200).keys).toEqual(['1/1', '1/2', '1/3']);
    const snoozed = [gate(1, 500), gate(2)].map(gateItem);
    expect(listedItems(snoozed, shape, 100).rows).toHaveLength(3);
    expect(listedItems(snoozed, shape, 600).rows).toHaveLength(2);
  });

  test('the inbox goes on to the gate after the answered one', () => {
    expect(afterwards(['a', 'b', 'c'], 'b', ['a', 'c'])).toBe('c');
    expect(afterwards(['a', 'b', 'c'], 'c', ['a', 'b'])).toBe('b');
    expect(afterwards(['a', 'b', 'c'], 'b', ['a', 'd'])).toBe('a');
    expect(afterwards(['a'], 'a', [])).toBeNull();
    expect(afterwards(['a'], 'a', ['x'])).toBe('x');
  });

  test('the inbox puts another gate only in the place of one that was answered here', () => {
    const shown = {
      key: 'a',
      before: ['a', 'b'],
      waiting: ['b', 'c'],
      all: new Set(['b', 'c']),
      own: false,
      isClosed: true,
      lately: true,
    };
    expect(afterShown({ ...shown, own: true })).toEqual({ next: 'b', stays: false });
    expect(afterShown({ ...shown, own: true, isClosed: false, lately: false })).toEqual({
      next: 'b',
      stays: false,
    });
    expect(afterShown(shown)).toEqual({ next: undefined, stays: true });
    // Its result was seen.
    expect(afterShown({ ...shown, lately: false })).toEqual({ next: 'b', stays: false });
    // It may still wait, or its end is not reported yet.
    expect(afterShown({ ...shown, isClosed: false, lately: false })).toEqual({
      next: undefined,
      stays: true,
    });
    expect(afterShown({ ...shown, waiting: ['a', 'b'], all: new Set(['a', 'b']) })).toEqual({
      next: undefined,
      stays: false,
    });
  });

  test('the inbox goes on to show the current gate, though another one comes before it', () => {
    const address = { named: false, key: null, unknown: false };
    const lists = {
      next: undefined,
      stays: false,
      kept: '1/2',
      waiting: ['1/9', '1/2'],
      isClosed: false,
      read: true,
    };
    expect(selectionOf(address, lists)).toEqual({ what: 'gate', key: '1/2' });
    expect(selectionOf(address, { ...lists, kept: null })).toEqual({ what: 'gate', key: '1/9' });
    expect(selectionOf(address, { ...lists, waiting: ['1/9'] })).toEqual({ what: 'gate', key: '1/9' });
    expect(selectionOf(address, { ...lists, waiting: ['1/9'], isClosed: true })).toEqual({
      what: 'gate',
      key: '1/2',
    });
    const gone = { ...lists, stays: true, waiting: ['1/9'] };
    expect(selectionOf(address, gone)).toEqual({ what: 'missing' });
    expect(selectionOf(address, { ...gone, read: false })).toEqual({ what: 'reading' });
    expect(selectionOf(address, { ...gone, isClosed: true })).toEqual({ what: 'gate', key: '1/2' });
  });

  test('the inbox shows the gate that its address names and never another one', () => {
    const lists = {
      next: undefined,
      stays: false,
      kept: null,
      waiting: ['1/2', '1/3'],
      isClosed: false,
      read: true,
    };
    const at = (key: string | null, unknown = false) => ({ named: true, key, unknown });
    expect(selectionOf({ named: false, key: null, unknown: false }, lists)).toEqual({
      what: 'gate',
      key: '1/2',
    });
    expect(selectionOf(at('1/3'), lists)).toEqual({ what: 'gate', key: '1/3' });
    expect(selectionOf(at('1/9'), { ...lists, isClosed: true })).toEqual({ what: 'gate', key: '1/9' });
    expect(selectionOf(at('1/9'), lists)).toEqual({ what: 'missing' });
    expect(selectionOf(at(null, true), lists)).toEqual({ what: 'missing' });
    // Its run is being looked up, or the lists are not loaded yet.
    expect(selectionOf(at(null), lists)).toEqual({ what: 'reading' });
    expect(selectionOf(at('1/9'), { ...lists, read: false })).toEqual({ what: 'reading' });
    expect(selectionOf(at('1/9'), { ...lists, next: '1/3' })).toEqual({ what: 'gate', key: '1/3' });
    expect(selectionOf(at('1/9'), { ...lists, waiting: [], next: null })).toEqual({
      what: 'gate',
      key: null,
    });
  });
});

test('an agent that asks and asks hides no gate of another run', () => {
  const flood = Array.from({ length: 100 }, (_, index) => ({
    ...gate(index + 1),
    kind: 'permission' as const,
    sessionId: 1,
    agent: 'Worker',
    runName: 'Flood',
  }));
  const other = { ...gate(1), runId: 2, kind: 'approval' as const };
  const rows = waitingRows([...flood, other], 100);
  expect(rows.slice(0, 7).map((row) => row.key)).toEqual([
    '1/1',
    '1/2',
    '1/3',
    '1/4',
    '1/5',
    '2/1',
    'more 1/1/permission',
  ]);
  expect(rows[6]).toMatchObject({ text: 'More of Worker in Flood', count: 95 });
  expect(rows).toHaveLength(102);
});

test('only permission requests follow below the others: decisions of one agent stand where they are due', () => {
  const approval = (gateId: number) => ({
    ...gate(gateId),
    kind: 'approval' as const,
    sessionId: 1,
    agent: 'Worker',
    runName: 'Release',
  });
  const rows = waitingRows([1, 2, 3, 4, 5, 6, 7].map(approval), 100);
  expect(rows.map((row) => row.key)).toEqual(['1/1', '1/2', '1/3', '1/4', '1/5', '1/6', '1/7']);
});

test('Equal questions stand under one heading below the others, so that each row under it is one of them', () => {
  const asked = (gateId: number, cause: string) =>
    ({ ...gate(gateId), cause, status: 'open', kind: 'login' }) as GateRow;
  const rows = waitingRows([asked(1, 'a'), asked(2, 'b'), asked(3, 'a'), asked(4, 'c')], 100);
  expect(rows.map((row) => (row.heading ? `${row.text} ${row.count}` : row.key))).toEqual([
    '1/2',
    '1/4',
    'Same question 2',
    '1/1',
    '1/3',
  ]);
  const many = [1, 2, 3, 4, 5, 6].map((id) => asked(id, 'a'));
  const keys = waitingRows([...many, asked(7, 'b')], 100).map((row) => row.key);
  expect(keys.slice(0, 3)).toEqual(['1/7', 'alike a', '1/1']);
});

const reply = (member: string, since: number) => ({
  runId: 5,
  runName: 'Writers',
  projectName: 'novel',
  activationId: 1,
  member,
  round: 2,
  since,
  lastWords: 'Done.',
});
const besides = {
  replies: [reply('ben', 20), reply('ana/x', 10)],
  failures: [{ runId: 6, runName: 'Nightly', projectName: 'site', at: 30, reason: 'no disk' }],
  pulls: [
    {
      ...{ runId: 6, runName: 'Nightly', projectName: 'site', key: 'review 1', kind: 'approved' as const },
      ...{ number: 7, url: null, title: 'Till', what: 'cem approved it.', at: 50 },
    },
  ],
  waits: [{ runId: 1, runName: 'Release', projectName: 'site', at: 99, what: 'the limit ends' }],
};
const named = (rows: ReturnType<typeof attentionRows>) =>
  rows.map((row) => (row.heading ? `${row.text} ${row.count}` : row.key));

test('decisions, replies, failures, pull requests and automatic items stand in this order, snoozed ones last', () => {
  const items = [...[gate(1), gate(2, 500)].map(gateItem), ...itemsBesides(besides)];
  expect(named(attentionRows(items, 100))).toEqual([
    ...['Decide 1', '1/1'],
    ...['Reply 2', 'reply/5/1/ana%2Fx/2', 'reply/5/1/ben/2'],
    ...['Failed 1', 'failed/6/30'],
    ...['Pull requests 1', 'pull/6/review%201'],
    ...['Waiting by itself 1', 'wait/1/99/the%20limit%20ends'],
    ...['Snoozed 1', '1/2'],
  ]);
});

test('the run that has waited longest stands first in groups, and items that need no one below', () => {
  const asked = { ...gate(1), runId: 5, runName: 'Writers', openedAt: 40 };
  const items = [gateItem(asked), ...itemsBesides(besides)];
  expect(named(rowsByRun(items, 100))).toEqual([
    ...['Writers 3', 'reply/5/1/ana%2Fx/2', 'reply/5/1/ben/2', '5/1'],
    ...['Nightly 2', 'failed/6/30', 'pull/6/review%201'],
    ...['Waiting by itself 1', 'wait/1/99/the%20limit%20ends'],
  ]);
});

test('a search that leaves out the current item takes nothing in its place', () => {
  const shown = { key: 'a', before: ['a', 'b'], waiting: ['b'], all: new Set(['a', 'b']) };
  expect(afterShown({ ...shown, own: true, isClosed: false, lately: false })).toEqual({
    next: undefined,
    stays: false,
  });
});

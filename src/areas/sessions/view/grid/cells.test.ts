import { expect, test } from 'vitest';
import type { TerminalRow, Workplace } from '../../contract/procedures';
import { columnsFor, gridCells, lastSpan, nextCell } from './cells';

const terminal = (name: string, state: TerminalRow['state']): TerminalRow => ({
  name,
  title: name,
  state,
  since: 1,
  why: null,
  sessionId: null,
  bytes: 0,
});
const place = (runId: number, terminals: TerminalRow[]): Workplace => ({
  runId,
  runUid: `U${runId}`,
  runName: `Run ${runId}`,
  at: 1,
  sessions: [],
  terminals,
});
const places = [
  place(2, [terminal('c1', 'running'), terminal('c2', 'ended')]),
  place(1, [terminal('s1-0', 'running'), terminal('c1', 'failed')]),
];
const keys = (runId: number | null, kept: string[] = []) =>
  gridCells(places, runId, new Set(kept)).map((cell) => cell.key);

test('the grid shows live terminals, of all runs or of one, and those that ended meanwhile', () => {
  expect(keys(null)).toEqual(['2/c1', '1/s1-0']);
  expect(keys(1)).toEqual(['1/s1-0']);
  expect(keys(null, ['2/c2'])).toEqual(['2/c1', '2/c2', '1/s1-0']);
});

test('the grid keys go round from cell to cell', () => {
  const cells = gridCells(places, null, new Set());
  expect(nextCell(cells, null, 1)?.key).toBe('2/c1');
  expect(nextCell(cells, '1/s1-0', 1)?.key).toBe('2/c1');
  expect(nextCell(cells, '2/c1', -1)?.key).toBe('1/s1-0');
  expect(nextCell([], null, 1)).toBeNull();
});

test('the grid is as square as possible, and never too narrow', () => {
  expect([1, 2, 3, 4, 5, 9, 10].map((count) => columnsFor(count, 2000))).toEqual([1, 2, 2, 2, 3, 3, 4]);
  expect(columnsFor(9, 800)).toBe(2);
  expect(columnsFor(9, 200)).toBe(1);
  expect([lastSpan(4, 2), lastSpan(3, 2), lastSpan(7, 3), lastSpan(1, 1)]).toEqual([1, 2, 3, 1]);
});

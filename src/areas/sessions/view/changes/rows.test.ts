import type { DiffFile } from '@areas/changes/contract/procedures';
import { changeRows, nextHunk, total } from '@areas/changes/view/parts/change-rows';
import { expect, test } from 'vitest';
import { diffOf } from './scopes';

const hunk = (id: string) => ({
  id,
  oldStart: 1,
  oldLines: 1,
  newStart: 1,
  newLines: 1,
  lines: ['-a', '+b'],
});
const file = (path: string, more: Partial<DiffFile> = {}): DiffFile => ({
  path,
  oldPath: null,
  status: 'modified',
  added: 1,
  removed: 1,
  hunks: [hunk('h1')],
  leftOut: null,
  ...more,
});
const keys = (files: DiffFile[], folded: string[] = []) =>
  changeRows(files, new Set(folded)).map((row) => row.key);

test('the changes have a head and the hunks of each file, and no hunks of folded files', () => {
  const files = [file('a.ts', { hunks: [hunk('h1'), hunk('h2')] }), file('b.ts')];
  expect(keys(files, ['b.ts'])).toEqual(['file a.ts', 'hunk a.ts h1 1', 'hunk a.ts h2 1', 'file b.ts']);
});

test('hunks with the same lines are told apart', () => {
  expect(keys([file('a.ts', { hunks: [hunk('h1'), hunk('h1')] })])).toEqual([
    'file a.ts',
    'hunk a.ts h1 1',
    'hunk a.ts h1 2',
  ]);
});

test('a file without lines says why it shows none', () => {
  const files = [
    file('a.png', { hunks: [], leftOut: 'binary', added: null, removed: null }),
    file('b.ts', { hunks: [], status: 'renamed', oldPath: 'c.ts' }),
  ];
  expect(keys(files)).toEqual(['file a.png', 'note a.png', 'file b.ts', 'note b.ts']);
  expect(total([...files, file('d.ts')])).toEqual({ added: 2, removed: 2 });
});

test('the hunk keys go from hunk to hunk over the heads of files', () => {
  const rows = changeRows([file('a.ts'), file('b.ts')], new Set());
  expect(nextHunk(rows, null, 1)?.key).toBe('hunk a.ts h1 1');
  expect(nextHunk(rows, 'hunk a.ts h1 1', 1)?.key).toBe('hunk b.ts h1 1');
  expect(nextHunk(rows, 'hunk b.ts h1 1', 1)).toBeNull();
  expect(nextHunk(rows, 'hunk b.ts h1 1', -1)?.key).toBe('hunk a.ts h1 1');
  expect(nextHunk(rows, null, -1)?.key).toBe('hunk b.ts h1 1');
});

test('the scope of the changes is read from the address', () => {
  expect(['turn/12', 'workspace', 'session', 'x'].map((scope) => diffOf(scope, 4))).toEqual([
    { kind: 'turn', turnId: 12 },
    { kind: 'workspace', sessionId: 4 },
    { kind: 'session', sessionId: 4 },
    { kind: 'session', sessionId: 4 },
  ]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hunkLines } from '../../../contract/hunk-lines';
import type { DiffFile } from '../../../contract/procedures';
import { CHUNK, type DeskRow, deskRows, nextRow, total } from './desk-rows';
import { pairsOf, partnerOf, placesOf } from './pairs';

const hunk = (id: string, lines = ['-a', '+b'], at = 1) => ({
  id,
  oldStart: at,
  oldLines: lines.filter((line) => !line.startsWith('+')).length,
  newStart: at,
  newLines: lines.filter((line) => !line.startsWith('-')).length,
  lines,
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

interface Shape {
  readonly folded?: string[];
  readonly split?: boolean;
  readonly texts?: Map<string, string[]>;
  readonly unfolded?: Map<string, { upper: number; lower: number }>;
}

const rowsOf = (files: DiffFile[], { folded = [], split = false, texts, unfolded = new Map() }: Shape = {}) =>
  deskRows(files, {
    isFolded: ({ path }) => folded.includes(path),
    split,
    texts: texts ?? null,
    unfolded,
  });
const keysOf = (rows: readonly DeskRow[]) => rows.map(({ key }) => key);

test('each file has a head and its hunks, and a folded one its head alone', () => {
  const files = [file('a.ts', { hunks: [hunk('h1'), hunk('h2')] }), file('b.ts')];
  expect(keysOf(rowsOf(files, { folded: ['b.ts'] }))).toEqual([
    'file a.ts',
    'hunk a.ts h1 1',
    'hunk a.ts h2 1',
    'file b.ts',
  ]);
});

test('hunks of a file with the same lines are told apart', () => {
  expect(keysOf(rowsOf([file('a.ts', { hunks: [hunk('h1'), hunk('h1')] })])).slice(1)).toEqual([
    'hunk a.ts h1 1',
    'hunk a.ts h1 2',
  ]);
});

test('a file without lines says why it shows none, and a picture is shown where it can be read', () => {
  const binary: Partial<DiffFile> = { hunks: [], leftOut: 'binary', added: null, removed: null };
  const files = [
    file('a.png', { ...binary }),
    file('b.ts', { hunks: [], status: 'renamed', oldPath: 'c.ts' }),
  ];
  const notes = (rows: DeskRow[]) => rows.flatMap((row) => (row.kind === 'note' ? row.text : []));
  expect(notes(rowsOf(files))).toEqual(['This binary file is not shown.', 'Moved without changes.']);
  expect(keysOf(rowsOf(files, { texts: new Map() }))).toContain('image a.png');
  expect(total([...files, file('d.ts')])).toEqual({ added: 2, removed: 2 });
});

test('a large hunk is cut into rows of a few lines that hold each line once and in order', () => {
  const sign = fc.constantFrom(' x', '-x', '+x', '\\ No newline at end of file');
  fc.assert(
    fc.property(fc.array(sign, { minLength: 1, maxLength: 4 * CHUNK }), fc.boolean(), (lines, split) => {
      const one = hunk('h', lines);
      const rows = rowsOf([file('a.ts', { hunks: [one] })], { split }).filter(
        (row) => row.kind === 'hunk' || row.kind === 'lines',
      );
      const drawn = rows.flatMap((row) => ('hunk' in row ? placesOf(row.hunk, row).indices : []));
      expect([...new Set(drawn)].sort((a, b) => a - b)).toEqual(lines.map((_, index) => index));
      expect(rows.every((row) => 'to' in row && row.to - row.from <= CHUNK)).toBe(true);
    }),
  );
});

test('removed lines stand beside the added ones that follow them, and no line beside two', () => {
  const one = hunk('h', [' a', '-b', '-c', '+B', ' d', '+e', '-f', '\\ No newline at end of file']);
  const { left, right } = pairsOf(one);
  expect([...left].map((old, index) => [old, right[index]])).toEqual([
    [0, 0],
    [1, 3],
    [2, -1],
    [4, 4],
    [-1, 5],
    [6, -1],
    [7, -1],
  ]);
  const partner = partnerOf(pairsOf(one));
  expect([1, 3, 2, 0].map(partner)).toEqual([3, 1, null, null]);
});

const numbers = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`);
const ten = hunk('h', [' line 10', '-old', '+line 11', '+line 12', ' line 13'], 10);

test('the lines between the hunks of a file are hidden, and unfold at both edges with both numbers', () => {
  const files = [file('a.ts', { hunks: [ten] })];
  const closed = rowsOf(files, { texts: new Map() });
  expect(closed.map(({ kind }) => kind)).toEqual(['file', 'hunk', 'gap']);
  expect(closed[1]).toMatchObject({ gap: { from: 1, to: 9, shift: 0 } });
  expect(closed[2]).toMatchObject({ gap: { from: 14, to: null, shift: -1 } });
  const shown = rowsOf(files, {
    texts: new Map([['a.ts', numbers]]),
    unfolded: new Map([
      ['a.ts 0', { upper: 0, lower: 3 }],
      ['a.ts 1', { upper: 60, lower: 0 }],
    ]),
  });
  const lines = shown.flatMap((row) => (row.kind === 'context' ? row.lines : []));
  expect(lines.slice(0, 4).map(({ old, fresh, text }) => [old, fresh, text])).toEqual([
    [7, 7, 'line 7'],
    [8, 8, 'line 8'],
    [9, 9, 'line 9'],
    [13, 14, 'line 14'],
  ]);
  expect(lines).toHaveLength(63);
  const gaps = shown.flatMap((row) => (row.kind === 'gap' ? [[row.gap.from, row.gap.to]] : []));
  expect(gaps).toEqual([
    [1, 6],
    [74, 100],
  ]);
});

test('a whole file has each of its lines once and in order, whatever its hunks are', () => {
  const shape = fc.array(
    fc.tuple(
      fc.integer({ min: 0, max: 8 }),
      fc.array(fc.constantFrom(' ', '+', '-'), { minLength: 1, maxLength: 6 }),
    ),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(shape, fc.integer({ min: 0, max: 9 }), (parts, rest) => {
      let [old, fresh] = [1, 1];
      const hunks = parts.map(([gap, signs], index) => {
        const before = index === 0 ? gap : gap + 1;
        old += before;
        fresh += before;
        const lines = signs.map((sign, at) => `${sign}${index}/${at}`);
        const [oldLines, newLines] = ['+', '-'].map((one) => signs.filter((sign) => sign !== one).length) as [
          number,
          number,
        ];
        const made = {
          ...{ id: `h${index}`, lines, oldLines, newLines },
          oldStart: oldLines === 0 ? old - 1 : old,
          newStart: newLines === 0 ? fresh - 1 : fresh,
        };
        old += oldLines;
        fresh += newLines;
        return made;
      });
      const count = fresh - 1 + rest;
      const text = Array.from({ length: count }, (_, index) => `line ${index + 1}`);
      const all = { upper: Number.MAX_SAFE_INTEGER, lower: 0 };
      const rows = rowsOf([file('a.ts', { hunks })], {
        texts: new Map([['a.ts', text]]),
        unfolded: new Map(Array.from({ length: hunks.length + 1 }, (_, at) => [`a.ts ${at}`, all])),
      });
      const lines = rows.flatMap((row) =>
        row.kind === 'context'
          ? row.lines
          : row.kind === 'hunk' || row.kind === 'lines'
            ? hunkLines(row.hunk)
            : [],
      );
      const order = (side: 'old' | 'fresh') => lines.flatMap((line) => line[side] ?? []);
      expect(order('fresh')).toEqual(text.map((_, index) => index + 1));
      expect(order('old')).toEqual(order('old').map((_, index) => index + 1));
    }),
  );
});

test('the keys go from hunk to hunk over the heads of files, and from head to head', () => {
  const rows = rowsOf([file('a.ts'), file('b.ts')]);
  const next = (kind: 'hunk' | 'file', from: string | null, by: 1 | -1) =>
    nextRow(rows, kind, { from, by })?.key ?? null;
  expect(next('hunk', null, 1)).toBe('hunk a.ts h1 1');
  expect(next('hunk', 'hunk a.ts h1 1', 1)).toBe('hunk b.ts h1 1');
  expect(next('hunk', 'hunk b.ts h1 1', 1)).toBeNull();
  expect(next('hunk', 'hunk b.ts h1 1', -1)).toBe('hunk a.ts h1 1');
  expect(next('hunk', null, -1)).toBe('hunk b.ts h1 1');
  expect(next('file', 'hunk a.ts h1 1', 1)).toBe('file b.ts');
  expect(next('file', 'hunk b.ts h1 1', -1)).toBe('file b.ts');
});

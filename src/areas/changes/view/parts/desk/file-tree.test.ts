import { expect, test } from 'vitest';
import type { DiffFile } from '../../../contract/procedures';
import { fileTree, filterFiles, inTreeOrder } from './file-tree';

const files = ['src/areas/a.ts', 'readme.md', 'src/areas/view/b.ts', 'src/main.ts', 'deep/in/one/c.ts'].map(
  (path): DiffFile => ({
    ...{ path, oldPath: null, status: 'modified', added: 1, removed: 0, hunks: [], leftOut: null },
  }),
);
const drawn = (closed: string[] = []) =>
  fileTree(files, new Set(closed)).map(
    ({ name, level, files }) => `${'-'.repeat(level)}${name} ${files.length}`,
  );

test('files are in a tree of folders, where folders with a single folder in them are one row', () => {
  expect(drawn()).toEqual([
    '-src 3',
    '--areas 2',
    '---view 1',
    '----b.ts 1',
    '---a.ts 1',
    '--main.ts 1',
    '-deep/in/one 1',
    '--c.ts 1',
    '-readme.md 1',
  ]);
  expect(inTreeOrder(files).map(({ path }) => path)).toEqual([
    'src/areas/view/b.ts',
    'src/areas/a.ts',
    'src/main.ts',
    'deep/in/one/c.ts',
    'readme.md',
  ]);
});

test('a closed folder hides what is in it and still counts it', () => {
  expect(drawn(['src/areas/', 'deep/in/one/'])).toEqual([
    '-src 3',
    '--areas 2',
    '--main.ts 1',
    '-deep/in/one 1',
    '-readme.md 1',
  ]);
});

test('a filter finds files whose path has all of its words, in any order and case', () => {
  const found = (filter: string) => filterFiles(files, filter).map(({ path }) => path);
  expect(found('AREAS b')).toEqual(['src/areas/view/b.ts']);
  expect(found('  ')).toHaveLength(files.length);
  expect(found('nothing')).toEqual([]);
});

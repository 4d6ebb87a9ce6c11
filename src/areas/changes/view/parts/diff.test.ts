import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstChange, hunkLines, tallyOf, twoSides } from '../../contract/hunk-lines';
import { hunkKey } from '../../contract/reduce';
import { commentOn, type LineComment, promptOf, putComment, readComments } from './comments';
import { HunkMarks } from './marks';

const hunk = {
  id: 'h',
  oldStart: 10,
  oldLines: 3,
  newStart: 12,
  newLines: 3,
  lines: [' a', '-b', '-', '+c', '+', ' d', '\\ No newline at end of file'],
};

test('the lines of a hunk are numbered on both sides', () => {
  expect(hunkLines(hunk).map(({ kind, old, fresh, text }) => [kind, old, fresh, text])).toEqual([
    ['same', 10, 12, 'a'],
    ['removed', 11, null, 'b'],
    ['removed', 12, null, ''],
    ['added', null, 13, 'c'],
    ['added', null, 14, ''],
    ['same', 13, 15, 'd'],
    ['note', null, null, ' No newline at end of file'],
  ]);
  expect(tallyOf(hunk)).toEqual({ added: 2, removed: 2 });
  expect(firstChange(hunkLines(hunk))?.text).toBe('c');
  expect(firstChange(hunkLines({ ...hunk, lines: [' a', '-b'] }))?.text).toBe('b');
});

test('each line of a diff is on its side', () => {
  const { old, fresh, at } = twoSides(hunkLines(hunk));
  expect([old, fresh]).toEqual([
    ['a', 'b', '', 'd'],
    ['a', 'c', '', 'd'],
  ]);
  const texts = at.map((place) => place && (place.side === 'old' ? old : fresh)[place.index]);
  expect(texts).toEqual(['a', 'b', '', 'c', '', 'd', null]);
});

test('the hunks are numbered so that both sides are whole and in order', () => {
  const line = fc.tuple(fc.constantFrom(' ', '+', '-'), fc.string()).map(([sign, text]) => `${sign}${text}`);
  fc.assert(
    fc.property(
      fc.array(line),
      fc.integer({ min: 1, max: 9_000 }),
      fc.integer({ min: 1, max: 9_000 }),
      (lines, old, fresh) => {
        const found = hunkLines({ oldStart: old, newStart: fresh, lines });
        const numbers = (side: 'old' | 'fresh') => found.flatMap((one) => one[side] ?? []);
        const without = (sign: string) => lines.filter((text) => !text.startsWith(sign));
        const sides = twoSides(found);
        expect(numbers('old')).toEqual(without('+').map((_, index) => old + index));
        expect(numbers('fresh')).toEqual(without('-').map((_, index) => fresh + index));
        expect(sides.old).toEqual(without('+').map((text) => text.slice(1)));
        expect(sides.fresh).toEqual(without('-').map((text) => text.slice(1)));
        expect(found.map((one) => one.text)).toEqual(lines.map((text) => text.slice(1)));
      },
    ),
  );
});

const comment = (path: string, line: number, text: string): LineComment => ({
  path,
  line,
  gone: false,
  text: '  const a = 1;',
  comment: text,
});

test('comments are kept one a line, in the order of the files, and an empty one is dropped', () => {
  let comments: LineComment[] = [];
  for (const [path, line, text] of [
    ['b.ts', 2, 'two'],
    ['a.ts', 9, 'nine'],
    ['b.ts', 1, 'one'],
    ['b.ts', 2, 'TWO'],
  ] as const) {
    comments = putComment(comments, comment(path, line, text));
  }
  expect(comments.map((one) => one.comment)).toEqual(['nine', 'one', 'TWO']);
  expect(putComment(comments, comment('b.ts', 1, ' ')).map((one) => one.comment)).toEqual(['nine', 'TWO']);
  expect(readComments(JSON.stringify(comments))).toEqual(comments);
  expect(readComments('{ broken')).toEqual([]);
  expect(readComments('[{"path":1}]')).toEqual([]);
});

test('the text and the comments make one prompt', () => {
  const [, gone] = hunkLines(hunk);
  if (!gone) throw new Error('no line');
  const comments = [comment('a.ts', 3, 'Name it.\nPlease.'), commentOn('b.ts', gone, 'Why?')];
  expect(promptOf(' Almost. ', comments)).toBe(
    [
      'Almost.',
      '',
      'About these lines of your changes:',
      '',
      '- `a.ts:3`',
      '  > const a = 1;',
      '',
      '  Name it.',
      '  Please.',
      '- `b.ts:11` (a removed line)',
      '  > b',
      '',
      '  Why?',
    ].join('\n'),
  );
  expect(promptOf('Only this', [])).toBe('Only this');
  expect(promptOf('', comments.slice(0, 1))).toMatch(/^About this line/);
});

test('the mark of a hunk is found in any diff, and only that of its session', () => {
  const of = { sessionId: 1, turnId: 3, path: 'src/a/b.ts', hunk: 'abc' };
  const marks = new HunkMarks(
    {
      [hunkKey(of)]: 'accepted',
      [hunkKey({ ...of, turnId: null, hunk: 'def' })]: 'rejected',
      [hunkKey({ ...of, sessionId: 11, hunk: 'xyz' })]: 'accepted',
    },
    1,
  );
  expect(['abc', 'def', 'xyz'].map((hunk) => marks.of('src/a/b.ts', hunk))).toEqual([
    'accepted',
    'rejected',
    null,
  ]);
});

import { expect, test } from 'vitest';
import { type DiffLine, diffLines } from './diff-lines';

const write = (line: DiffLine): string =>
  line.kind === 'gap'
    ? `… ${line.lines}`
    : `${{ same: ' ', added: '+', removed: '-' }[line.kind]}${line.text}`;

test('the changed lines are shown with three lines around them', () => {
  const old = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  const fresh = old.with(9, 'LINE 10');
  const { lines, added, removed } = diffLines(old.join('\n'), fresh.join('\n'));
  expect(lines.map(write)).toEqual([
    '… 6',
    ' line 7',
    ' line 8',
    ' line 9',
    '-line 10',
    '+LINE 10',
    ' line 11',
    ' line 12',
    ' line 13',
    '… 7',
  ]);
  expect([added, removed]).toEqual([1, 1]);
});

test('the lines are numbered on both sides', () => {
  const { lines } = diffLines('a\nb\n', 'a\nx\nb\n');
  expect(lines).toEqual([
    { kind: 'same', old: 1, fresh: 1, text: 'a' },
    { kind: 'added', old: null, fresh: 2, text: 'x' },
    { kind: 'same', old: 2, fresh: 3, text: 'b' },
  ]);
});

test('a new file is shown whole, and so is an emptied one', () => {
  expect(diffLines(null, 'a\nb').added).toBe(2);
  expect(diffLines('a\nb', '')).toMatchObject({ added: 0, removed: 2 });
  expect(diffLines('same', 'same').lines.map(write)).toEqual(['… 1']);
});

test('a text that is too large is not compared pair by pair', () => {
  const many = (word: string) => Array.from({ length: 5000 }, (_, index) => `${word} ${index}`).join('\n');
  const before = process.cpuUsage();
  const { added, removed } = diffLines(many('old'), many('new'));
  expect([added, removed]).toEqual([5000, 5000]);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(20_000);
});

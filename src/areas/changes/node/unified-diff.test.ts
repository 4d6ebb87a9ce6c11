import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unifiedDiff } from './unified-diff';

describe('a unified diff', () => {
  test('a unified diff has three lines around each change, hunk by hunk', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`);
    const fresh = lines.with(1, 'changed\n').toSpliced(24, 1);
    expect(unifiedDiff('w.yaml', lines.join(''), fresh.join(''))).toBe(`--- w.yaml
+++ w.yaml
@@ -1,5 +1,5 @@
 line 1
-line 2
+changed
 line 3
 line 4
 line 5
@@ -22,7 +22,6 @@
 line 22
 line 23
 line 24
-line 25
 line 26
 line 27
 line 28
`);
  });

  test('a unified diff is empty where nothing differs', () => {
    expect(unifiedDiff('a', 'x\n', 'x\n')).toBe('');
  });

  test('a unified diff is made of a file that was empty, or becomes so', () => {
    expect(unifiedDiff('f', '', 'a\n')).toBe('--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n');
    expect(unifiedDiff('f', 'a\nb\n', '')).toBe('--- f\n+++ f\n@@ -1,2 +0,0 @@\n-a\n-b\n');
  });

  test('a unified diff of texts that differ in too many lines replaces the whole text', () => {
    const many = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}\n`).join('');
    const lines = unifiedDiff('f', many('old'), many('new').trimEnd()).split('\n');
    expect(lines.slice(0, 4)).toEqual(['--- f', '+++ f', '@@ -1,3000 +1,3000 @@', '-old 0']);
    expect(lines.slice(-4)).toEqual(['+new 2998', '+new 2999', '\\ No newline at end of file', '']);
  });

  test('a unified diff makes the new text of the old one, for git, whatever they are', () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-diff-'));
    const path = join(folder, 'f');
    const text = fc
      .tuple(
        fc.array(fc.constantFrom('a', 'b', 'c', '', '-x', '+y'), { minLength: 1, maxLength: 25 }),
        fc.boolean(),
      )
      .map(([lines, end]) => `${lines.join('\n')}${end ? '\n' : 'z'}`);
    fc.assert(
      fc.property(text, text, (old, fresh) => {
        fc.pre(old !== fresh);
        writeFileSync(path, old);
        execFileSync('git', ['apply', '-p0', '--whitespace=nowarn', '-'], {
          cwd: folder,
          input: unifiedDiff('f', old, fresh),
        });
        expect(readFileSync(path, 'utf8')).toBe(fresh);
      }),
      { numRuns: 60 },
    );
  });
});

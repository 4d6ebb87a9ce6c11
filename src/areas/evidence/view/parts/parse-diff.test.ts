import { expect, test } from 'vitest';
import { parseDiff } from './parse-diff';

const diff = `diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@ export
 one
-two
+TWO
+-- not a header
 three
@@ -10 +11 @@
-x
+y
\\ No newline at end of file
diff --git a/old name.ts b/new name.ts
similarity index 100%
rename from old name.ts
rename to new name.ts
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+hello
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
---- a line that looks like a header
diff --git a/pic.png b/pic.png
Binary files a/pic.png and b/pic.png differ
`;

test('a diff as git prints it is read as files with their hunks', () => {
  const files = parseDiff(diff) ?? [];
  expect(files.map(({ path, status, added, removed }) => [path, status, added, removed])).toEqual([
    ['src/a.ts', 'modified', 3, 2],
    ['new name.ts', 'renamed', 0, 0],
    ['new.txt', 'added', 1, 0],
    ['gone.txt', 'deleted', 0, 1],
    ['pic.png', 'modified', null, null],
  ]);
  expect(files[0]?.hunks.map(({ oldStart, newStart, lines }) => [oldStart, newStart, lines.length])).toEqual([
    [1, 1, 5],
    [10, 11, 3],
  ]);
  expect(files[1]?.oldPath).toBe('old name.ts');
  expect(files[4]?.leftOut).toBe('binary');
});

test('a diff without the lines of git is read by its headers, and a cut one up to its end', () => {
  const plain = parseDiff(
    '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n--- a/y\n+++ b/y\n@@ -1,9 +1,9 @@\n-q',
  );
  expect(plain?.map(({ path, added, removed }) => [path, added, removed])).toEqual([
    ['x', 1, 1],
    ['y', 0, 1],
  ]);
});

test('a text that is no diff is not shown as one', () => {
  for (const text of ['', 'hello', '- a\n+ b', '@@ -1 +1 @@\n-a\n+b']) expect(parseDiff(text)).toBeNull();
});

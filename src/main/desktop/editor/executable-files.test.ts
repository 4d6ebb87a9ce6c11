import { expect, test } from 'vitest';
import { wouldRun } from './executable-files';

const file = { mode: 0o644, isFile: () => true };
const program = { mode: 0o755, isFile: () => true };
const folder = { mode: 0o755, isFile: () => false };

test.each([
  ['/w/Setup.EXE', file],
  ['/w/notes.desktop', file],
  ['/w/tool.py', file],
  ['/w/disk.dmg', file],
  ['/w/Report.app', folder],
  ['/w/Do it.workflow', folder],
  ['/w/build', program],
])('the path %s would be run', (path, found) => {
  expect(wouldRun(path, found, 'linux')).toBe(true);
});

test.each([
  ['/w/notes.md', file],
  ['/w/c3.log', file],
  ['/w/picture.png', file],
  ['/w/src', folder],
  ['/w/README', file],
])('the path %s would be shown', (path, found) => {
  expect(wouldRun(path, found, 'linux')).toBe(false);
});

test('a path on Windows is judged by its name alone', () => {
  expect(wouldRun('C:\\w\\build', program, 'win32')).toBe(false);
});

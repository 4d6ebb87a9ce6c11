import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { electronOf } from './electron';

test('the executable is the one that the installed package names, and none where it was not downloaded', () => {
  const root = mkdtempSync(join(tmpdir(), 'muster-electron-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const processDir = join(root, 'out', 'main');
  const dist = join(root, 'node_modules', 'electron', 'dist');
  expect(electronOf(processDir)).toBeNull();
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, '..', 'path.txt'), 'electron\n');
  expect(electronOf(processDir)).toBeNull();
  writeFileSync(join(dist, 'electron'), '');
  expect(electronOf(processDir)).toBe(join(dist, 'electron'));
  expect(electronOf('/opt/Muster/resources/app.asar/out/main')).toBeNull();
});

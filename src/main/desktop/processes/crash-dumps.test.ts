import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dropOldDumps } from './crash-dumps';

test('the five newest crash dumps are kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-dumps-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const completed = join(folder, 'completed');
  mkdirSync(completed);
  for (let dump = 1; dump <= 8; dump += 1) {
    for (const ending of ['dmp', 'meta']) {
      writeFileSync(join(completed, `${dump}.${ending}`), '');
      utimesSync(join(completed, `${dump}.${ending}`), dump, dump);
    }
  }
  writeFileSync(join(folder, 'settings.dat'), '');
  dropOldDumps(folder);
  expect(readdirSync(completed)).toHaveLength(10);
  expect(readdirSync(completed)).toEqual(expect.arrayContaining(['4.dmp', '8.dmp', '8.meta']));
  expect(readdirSync(folder)).toContain('settings.dat');
  dropOldDumps(join(folder, 'none'));
});

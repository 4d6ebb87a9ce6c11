import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { OutputReader, outputEnd } from './output-reader';

const folder = mkdtempSync(join(tmpdir(), 'muster-reader-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an output that goes on in another file is read in order, each byte once', async () => {
  const path = join(folder, 'one.log');
  writeFileSync(path, 'begin ');
  let read = '';
  const reader = new OutputReader(path, 0, (text) => {
    read += text;
  });
  await reader.upTo(6);
  writeFileSync(`${path}.6`, 'goes on ');
  writeFileSync(`${path}.14`, 'end');
  await reader.upTo(17);
  expect(read).toBe('begin goes on end');
});

test('what was dropped before it was read is left out', async () => {
  const path = join(folder, 'two.log');
  writeFileSync(path, 'gone');
  truncateSync(path, 0);
  writeFileSync(`${path}.4`, 'kept');
  let read = '';
  const reader = new OutputReader(path, 0, (text) => {
    read += text;
  });
  await reader.upTo(8);
  expect(read).toBe('kept');
  expect(outputEnd(path)).toBe(8);
  expect(outputEnd(join(folder, 'none.log'))).toBe(0);
});

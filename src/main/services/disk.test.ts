import { chmodSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printedEnd, removeFolder } from './disk';

// Permissions do not apply to root.
test.skipIf(process.getuid?.() === 0)(
  'a folder is removed with folders in it that may not be written',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'muster-disk-'));
    const inner = join(root, 'cache', 'module');
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, 'file'), 'x');
    for (const path of [inner, join(root, 'cache')]) chmodSync(path, 0o500);
    await removeFolder(root);
    expect(existsSync(root)).toBe(false);
  },
);

test('a folder that does not exist is no error', async () => {
  await removeFolder(join(tmpdir(), 'muster-disk-none'));
});

test('the end of a long output is read from its last files, whose first was emptied, and its size counts all', async () => {
  const root = mkdtempSync(join(tmpdir(), 'muster-disk-'));
  const path = join(root, 'c1.log');
  writeFileSync(path, '');
  writeFileSync(`${path}.100`, 'x'.repeat(50));
  writeFileSync(`${path}.150`, 'the end');
  writeFileSync(`${path}.notes.jsonl`, '{}');
  expect(await printedEnd(path, 10)).toEqual({ text: 'xxxthe end', totalBytes: 157 });
  expect(await printedEnd(path, 7)).toEqual({ text: 'the end', totalBytes: 157 });
});

test('an output without a file has no end and no size', async () => {
  const path = join(tmpdir(), 'muster-disk-none', 'c1.log');
  expect(await printedEnd(path, 10)).toEqual({ text: '', totalBytes: 0 });
});

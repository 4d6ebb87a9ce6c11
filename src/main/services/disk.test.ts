import { chmodSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeFolder } from './disk';

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

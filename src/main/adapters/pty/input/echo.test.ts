import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { echoOf } from './echo';

const folder = mkdtempSync(join(tmpdir(), 'muster-echo-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(process.platform === 'win32')(
  'a terminal that does not answer in time counts as one that hides, and none at all as one that cannot be asked',
  async () => {
    const stty = join(folder, 'stty');
    writeFileSync(stty, '#!/bin/sh\nexec /bin/sleep 60\n');
    chmodSync(stty, 0o700);
    vi.stubEnv('PATH', folder);
    expect(await echoOf('/dev/null')).toBe('secret');
    rmSync(stty);
    expect(await echoOf('/dev/null')).toBeNull();
  },
);

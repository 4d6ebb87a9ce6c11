import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';

const KILLS = 20;
/** The same choices each time; `npm run durability` takes new ones. */
const SEED = 20261122;
/** The longest that the harness may take on a machine that is busy with other things too. */
const LIMIT_MS = 1_800_000;

test('everything that the core has confirmed survives kill -9 at any moment', async () => {
  test.skip(process.platform !== 'linux', 'processes are looked for in /proc');
  test.setTimeout(LIMIT_MS);
  const harness = join(import.meta.dirname, 'run.mjs');
  const child = spawn(process.execPath, [harness, '--kills', String(KILLS), '--seed', String(SEED)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (said: string) => {
      output += said;
      // As it comes: where the test is cut off, what was said until then is what tells why.
      process.stdout.write(said);
    });
  const code = await ended;
  expect(code, output).toBe(0);
});

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsSchema } from '@contract/system/procedures';
import { expect, onTestFinished, test } from 'vitest';
import { type Door, openServers } from './servers';
import { FakeCore } from './testing/fake-core';

async function open(dataDir: string) {
  const troubles: [Door, string | null][] = [];
  const quiet = (): void => undefined;
  const servers = await openServers({
    core: new FakeCore(),
    init: {
      dataDir,
      dbPath: join(dataDir, 'muster.db'),
      version: '1',
      socket: { endpointFile: join(dataDir, 'core-endpoint.json') },
    },
    settings: { get: () => settingsSchema.parse({}), onChange: quiet },
    logger: { info: quiet, warn: quiet, error: quiet },
    apiChanged: quiet,
    trouble: (...said) => troubles.push(said),
  });
  onTestFinished(() => servers.close());
  return { servers, troubles };
}

test('a server that cannot be opened is reported to the operator, and the core works without it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-test-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  mkdirSync(join(dataDir, 'core.sock', 'full'), { recursive: true });
  const { servers, troubles } = await open(dataDir);
  expect(troubles).toEqual([
    ['local-socket', expect.stringMatching(/^The command line does not reach this Muster: .*core\.sock/)],
  ]);
  expect([servers.apiAddress(), servers.guests()]).toEqual([null, 0]);
});

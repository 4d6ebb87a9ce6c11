import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeEndpoint } from '../../api/socket/endpoint-file';
import { LocalSocket } from '../../api/socket/server';
import { FakeCore } from '../../api/testing/fake-core';
import { endpointFile } from '../folders';
import { comesBack, openLink } from './open';

/** A data folder in which a core was killed whose host is this process. */
function crashed(host: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-test-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const file = endpointFile(dataDir);
  const path = join(dataDir, 'core.sock');
  writeEndpoint(file, { path, token: 'x'.repeat(32), pid: 1, version: '1', host });
  const installation = { processDir: dataDir, resourcesDir: dataDir, version: '1' };
  return { file, parts: { folders: { dataDir, dbPath: join(dataDir, 'muster.db') }, installation } };
}

test.each(['working', 'reading', 'attached'] as const)(
  'a core whose host starts it again is waited for, and not taken over: %s',
  async (mode) => {
    const { file, parts } = crashed(process.pid);
    const opening = openLink(parts, { mode });
    const socket = await LocalSocket.open({
      core: new FakeCore(),
      endpointFile: file,
      version: '1',
      apiAddress: () => null,
    });
    if (!socket.ok) throw new Error(socket.error.message);
    onTestFinished(() => socket.value.close());
    const link = await opening;
    if (!link.ok) throw new Error(link.error.message);
    onTestFinished(() => link.value.close());
    expect(link.value.kind).toBe('attached');
  },
);

test('the process id of the host belongs to another process after a reboot', () => {
  const { file } = crashed(process.pid);
  expect(comesBack(file)).toBe(true);
  const before = Date.now() / 1000 - uptime() - 60;
  utimesSync(file, before, before);
  expect(comesBack(file)).toBe(false);
});

test('a core whose host is gone too is not waited for', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  const { parts } = crashed(pid);
  expect(await openLink(parts, { mode: 'attached' })).toMatchObject({
    error: { code: 'unavailable', message: 'no Muster is running here' },
  });
});

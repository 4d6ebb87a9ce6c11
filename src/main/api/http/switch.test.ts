import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FakeCore } from '../testing/fake-core';
import { HttpSwitch } from './switch';

test('the switch follows the settings, one change after the other', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-test-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const addresses: (string | null)[] = [];
  const warnings: string[] = [];
  const quiet = {
    info: () => undefined,
    warn: (message: string) => void warnings.push(message),
    error: () => undefined,
  };
  const api = new HttpSwitch({
    core: new FakeCore(),
    dataDir,
    logger: quiet,
    changed: (address) => addresses.push(address),
    trouble: () => undefined,
  });
  onTestFinished(() => api.close());
  await api.apply({ enabled: true, port: 0 });
  const taken = Number(new URL(api.address ?? '').port);
  const troubles: (string | null)[] = [];
  const other = new HttpSwitch({
    core: new FakeCore(),
    dataDir,
    logger: quiet,
    changed: () => undefined,
    trouble: (text) => troubles.push(text),
  });
  await other.apply({ enabled: true, port: taken });
  await other.apply({ enabled: false, port: taken });
  expect(troubles).toEqual([expect.stringContaining(`port ${taken} is in use; choose another port`), null]);
  expect([other.address, warnings]).toEqual([null, [`the HTTP API cannot listen: port ${taken} is in use`]]);
  void api.apply({ enabled: false, port: 0 });
  void api.apply({ enabled: true, port: taken });
  await api.apply({ enabled: false, port: taken });
  expect(addresses).toEqual([`http://127.0.0.1:${taken}`, null, `http://127.0.0.1:${taken}`, null]);
});

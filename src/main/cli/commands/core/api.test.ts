import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FakeCore } from '../../../api/testing/fake-core';
import { runProgram } from '../../program';
import { FakeLink } from '../../testing/fake-link';
import { fakeWorld } from '../../testing/fake-world';

test('a core on another port shows the new address', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-test-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  let httpApi = { enabled: true, port: 3000 };
  let asked = 0;
  const core = new FakeCore({
    'settings.get': () => ({ httpApi }),
    'settings.set': ({ settings }: { settings: { httpApi: typeof httpApi } }) => {
      httpApi = settings.httpApi;
      return { httpApi };
    },
  });
  const link = new FakeLink(core);
  // The core closes one and opens the other shortly after it has answered.
  link.apiAddress = () => {
    asked += httpApi.port === 4000 ? 1 : 0;
    return asked > 3 ? 'http://127.0.0.1:4000' : 'http://127.0.0.1:3000';
  };
  const { world, said } = fakeWorld(['api', '--port', '4000', '--json', '--data-dir', dataDir], link);
  expect(await runProgram(world)).toBe(0);
  expect(JSON.parse(said.out)).toMatchObject({ port: 4000, address: 'http://127.0.0.1:4000' });
});

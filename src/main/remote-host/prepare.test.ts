import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOST_FRAME_BYTES } from '@areas/hosts/contract/limits';
import { HOST_PREAMBLE, HOST_PROTOCOL } from '@areas/hosts/contract/wire';
import { frameOf } from '@areas/hosts/node/frames';
import { afterEach, describe, expect, test } from 'vitest';
import { hostProgram } from './testing/program';
import { HostStage, hasSsh } from './testing/stage';

let stage: HostStage;
afterEach(() => stage?.close());

const tested = async (wish: Parameters<typeof HostStage.open>[0] = {}) => {
  stage = await HostStage.open(wish);
  return stage.service().test(stage.host);
};

describe.skipIf(!hasSsh)('a host behind the real ssh', () => {
  test('a host is prepared once, and says what is there', async () => {
    stage = await HostStage.open();
    stage.provide('tester', '#!/bin/sh\n');
    const service = stage.service();
    const { sha256 } = await hostProgram();
    expect(await service.test(stage.host)).toMatchObject({
      ok: true,
      value: {
        node: process.versions.node,
        agents: ['Tester'],
        version: sha256.slice(0, 12),
        stats: { sessions: 0 },
      },
    });
    expect(service.rows()).toMatchObject([{ name: 'gpu1', state: { kind: 'connected' } }]);
    const pid = stage.hostPid();
    expect(await stage.service().test(stage.host)).toMatchObject({ ok: true });
    expect([stage.versions(), stage.hostPid()]).toEqual([[`${HOST_PROTOCOL}-${sha256}`], pid]);
  });

  test('two desktops that prepare a host at once leave one valid folder', async () => {
    stage = await HostStage.open();
    const both = [stage.service(), stage.service()].map((service) => service.test(stage.host));
    const errors = (await Promise.all(both)).map((result) => (result.ok ? null : result.error));
    expect(errors).toEqual([null, null]);
    expect(stage.versions()).toEqual([`${HOST_PROTOCOL}-${(await hostProgram()).sha256}`]);
  });

  test('older programs without a process are removed, and others stay', async () => {
    stage = await HostStage.open();
    const service = stage.service();
    await service.test(stage.host);
    const old = `1-${'a'.repeat(64)}`;
    mkdirSync(join(stage.home, '.muster-host', old));
    writeFileSync(join(stage.home, '.muster-host', 'notes'), 'mine');
    expect(await service.clean(stage.host)).toEqual({
      ok: true,
      value: { removed: [old], kept: [], folders: [] },
    });
    expect(stage.versions().toSorted()).toEqual([expect.stringMatching(/^1-/), 'notes']);
  });

  test('an unknown alias is one clear error', async () => {
    stage = await HostStage.open();
    const host = { ...stage.host, ssh: 'nowhere.invalid' };
    expect(await stage.service().test(host)).toMatchObject({
      error: {
        code: 'host.unreachable',
        message: expect.stringContaining('No host "nowhere.invalid" is found'),
      },
    });
  });

  test('the fingerprint of an unknown key is shown with the command that accepts it', async () => {
    stage = await HostStage.open();
    stage.trustNothing();
    expect(await stage.service().test(stage.host)).toMatchObject({
      error: {
        code: 'host.key',
        message: `The key of gpu1 is not known to ssh yet. Its fingerprint is ssh-ed25519 ${stage.fingerprint()}.`,
        mend: expect.stringContaining('ssh gpu1'),
      },
    });
  });

  test('a changed key is refused with its fingerprint and the command that forgets the old one', async () => {
    stage = await HostStage.open();
    stage.trustAnother();
    expect(await stage.service().test(stage.host)).toMatchObject({
      error: {
        code: 'host.key',
        message: expect.stringContaining(
          `is not the one that ssh knows. Its fingerprint is ssh-ed25519 ${stage.fingerprint()}`,
        ),
        mend: expect.stringContaining(`ssh-keygen -R [127.0.0.1]:${stage.proxy.port}`),
      },
    });
  });

  test('a host that only accepts a password is refused', async () => {
    expect(await tested({ auth: 'password' })).toMatchObject({
      error: { code: 'host.login', message: expect.stringContaining('only a password') },
    });
  });

  test('a login shell that prints is refused with its text', async () => {
    expect(await tested({ prints: 'Welcome to \u001b[1mgpu1\u001b[0m\n' })).toMatchObject({
      error: { code: 'host.unfit', message: expect.stringContaining('"Welcome to  [1mgpu1 [0m"') },
    });
  });

  test('a forced command is refused', async () => {
    expect(await tested({ forced: 'echo backup only' })).toMatchObject({
      error: { code: 'host.unfit', message: expect.stringContaining('it answered "backup only"') },
    });
  });

  test('a home folder that cannot be written to is refused', async () => {
    stage = await HostStage.open();
    writeFileSync(join(stage.home, '.muster-host'), 'a file');
    expect(await stage.service().test(stage.host)).toMatchObject({
      error: { code: 'host.unfit', message: expect.stringContaining('cannot be written to') },
    });
  });

  test('a host without git is refused', async () => {
    expect(await tested({ programs: ['node'] })).toMatchObject({
      error: { code: 'host.unfit', message: 'gpu1 has no git.' },
    });
  });

  test('a host with an old Node is refused with its version', async () => {
    stage = await HostStage.open({ programs: ['git', 'node'] });
    stage.provide('node', '#!/bin/sh\necho v18.1.0\n');
    const found = await stage.service({ leastNode: '999.0.0' }).test(stage.host);
    expect(found).toMatchObject({
      error: {
        code: 'host.unfit',
        message: expect.stringMatching(/has only Node 18\.1\.0.*; Muster needs 999\.0\.0 or newer/),
      },
    });
  });

  test.each([
    [
      'a protocol of the future',
      frameOf({ kind: 'hello', protocol: 99 }),
      'a protocol that this Muster does not know',
    ],
    ['a message of 100 MB', Buffer.from([6, 0, 0, 0]), 'a message of 101 MB'],
  ])('%s is refused', async (_what, bytes, words) => {
    stage = await HostStage.open();
    const folder = join(stage.home, '.muster-host', `${HOST_PROTOCOL}-${(await hostProgram()).sha256}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'answer'), Buffer.concat([Buffer.from(HOST_PREAMBLE), bytes]));
    writeFileSync(join(folder, 'muster-host'), `#!/bin/sh\ncat '${folder}/answer'; exec cat > /dev/null\n`, {
      mode: 0o755,
    });
    expect(await stage.service().test(stage.host)).toMatchObject({
      error: { code: 'host.protocol', message: expect.stringContaining(words) },
    });
    expect(HOST_FRAME_BYTES).toBeLessThan(0x06000000);
  });
});

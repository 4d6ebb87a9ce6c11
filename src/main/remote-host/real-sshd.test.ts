import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { SSHD } from './testing/real-sshd';
import { HostStage, hasSsh } from './testing/stage';

let stage: HostStage;
afterEach(() => stage?.close());

/** Skipped by name where no sshd is installed; the other tests use a server of their own. */
describe.skipIf(SSHD === null || !hasSsh)('the installed sshd', () => {
  test('a host is prepared, and a program there outlives a cut of its connection', async () => {
    stage = await HostStage.open({ sshd: true });
    const service = stage.service();
    expect(await service.test(stage.host)).toMatchObject({ ok: true, value: { stats: { sessions: 0 } } });
    let text = '';
    const launched = await service.launch('gpu1', 'stream-1', {
      command: 'bash',
      args: ['-c', 'echo begin; while [ ! -e go ]; do sleep 0.05; done; echo end | tee there.txt'],
      cwd: stage.home,
      env: {},
      owner: 'test',
      stdin: 'none',
      output: {
        kind: 'merged',
        chunk: (bytes) => {
          text += Buffer.from(bytes).toString('utf8');
        },
      },
    });
    if (!launched.ok) throw new Error(launched.error.message);
    await expect.poll(() => text).toBe('begin\n');
    stage.proxy.cut();
    await expect.poll(() => service.rows()[0]?.state.kind).toBe('disconnected');
    writeFileSync(join(stage.home, 'go'), '');
    await expect.poll(() => readIfThere(join(stage.home, 'there.txt'))).toBe('end\n');
    expect(text).toBe('begin\n');
    stage.proxy.mend();
    expect(await launched.value.exited).toEqual({ code: 0, signal: null });
    expect(text).toBe('begin\nend\n');
  });

  test('the fingerprint of its unknown key is shown', async () => {
    stage = await HostStage.open({ sshd: true });
    stage.trustNothing();
    expect(await stage.service().test(stage.host)).toMatchObject({
      error: { code: 'host.key', message: expect.stringContaining(stage.fingerprint()) },
    });
  });
});

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

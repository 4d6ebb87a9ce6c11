import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../core/ports/programs/sandbox';
import { HostProcess } from './host-process';
import { attempts, bombs } from './testing/attempts';
import { type BuiltHost, builtHost, isAlive, isRoot, started, told } from './testing/built-host';
import { type CountingServer, countingServer } from './testing/counting-server';

describe('code that tries to leave the sandbox', () => {
  let host: BuiltHost;
  let server: CountingServer;
  let sandbox: Sandbox;

  beforeAll(async () => {
    [host, server] = await Promise.all([builtHost(), countingServer()]);
    sandbox = await started(host.sandboxes);
  });
  afterAll(async () => {
    await host.end();
    await server.close();
  });

  test.each(attempts)('the attempt $name reaches nothing', async ({ code }) => {
    const text = await told(sandbox, code.replaceAll('PORT', String(server.port)));
    expect(text).not.toContain('ESCAPED');
    if (text.startsWith('lost')) sandbox = await started(host.sandboxes);
  });

  test('no attempt reached the counting server', async () => {
    // Asynchronous work gets a moment.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(server.count()).toBe(0);
  });

  test('a sandbox that was attacked from inside is ended or goes on, and its process never outlives it', async () => {
    for (const { code } of bombs) {
      if ((await told(sandbox, code)).startsWith('lost') || (await told(sandbox, 'print("on")')) !== 'on\n') {
        await sandbox.stop();
        expect(isAlive(sandbox.pid)).toBe(false);
        sandbox = await started(host.sandboxes);
      }
    }
    expect(server.count()).toBe(0);
  });
});

describe.runIf(isRoot && process.platform === 'linux')('as an unprivileged user', () => {
  test('an unprivileged process is confined by the operating system, and its code runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-unprivileged-'));
    const built = await builtHost();
    try {
      const home = join(folder, 'home');
      chmodSync(folder, 0o755);
      mkdirSync(home);
      chmodSync(home, 0o777);
      // Another user may not read the installation folder.
      const copy = join(folder, 'electron-copy');
      const from = realpathSync(dirname(built.electron));
      execFileSync('sh', ['-c', 'cp -rl "$0" "$1" 2>/dev/null || cp -r "$0" "$1"', from, copy]);
      const wrapper = join(folder, 'electron');
      const user = 'setpriv --reuid=65534 --regid=65534 --clear-groups';
      const script = `#!/bin/sh\nexec ${user} env HOME=${home} XDG_CONFIG_HOME=${home} TMPDIR=/tmp "${join(copy, basename(built.electron))}" "$@"\n`;
      writeFileSync(wrapper, script, { mode: 0o755 });
      const sandboxes = new HostProcess({
        electron: { program: wrapper, args: [built.entry] },
        isRoot: false,
        spareMs: 0,
      });
      const sandbox = await started(sandboxes, { allowWeak: false });
      expect(sandbox.confinement).toEqual({ osSandbox: true, detail: 'seccomp 2, no new privileges 1' });
      expect(await told(sandbox, 'print(6 * 7)')).toBe('42\n');
      await sandboxes.stop();
    } finally {
      await built.end();
      // Electron's own `fs` treats an .asar file as a folder.
      execFileSync('rm', ['-rf', folder]);
    }
  });
});

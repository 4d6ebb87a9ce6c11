import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../core/ports/sandbox';
import { HostProcess } from './host-process';
import { attempts, bombs } from './testing/attempts';
import { type BuiltHost, builtHost, isAlive, isRoot, run, started, type Wall } from './testing/built-host';
import { type CountingServer, countingServer } from './testing/counting-server';

const PATIENT = { timeout: 240_000 };

/** What code left behind, whichever way it ended. */
async function told(sandbox: Sandbox, code: string): Promise<string> {
  const end = await run(sandbox, code, { seconds: 4 });
  if (end.kind === 'lost') return `lost: ${end.reason}`;
  return [end.result.stdout.slice(0, 500), end.result.stderr.slice(0, 500), end.result.error ?? ''].join('');
}

describe('code that tries to leave the sandbox', PATIENT, () => {
  let host: BuiltHost;
  let server: CountingServer;
  let sandbox: Sandbox;

  beforeAll(async () => {
    [host, server] = await Promise.all([builtHost(), countingServer()]);
    sandbox = await started(host.sandboxes);
  }, PATIENT.timeout);
  afterAll(async () => {
    await host.end();
    await server.close();
  }, PATIENT.timeout);

  test.each(attempts)('$name reaches nothing', async ({ code }) => {
    const text = await told(sandbox, code.replaceAll('PORT', String(server.port)));
    expect(text).not.toContain('ESCAPED');
    if (text.startsWith('lost')) sandbox = await started(host.sandboxes);
  });

  test('no attempt reached the counting server', async () => {
    // What was begun asynchronously gets a moment.
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

const request = (port: number): string =>
  `import js\nx = js.XMLHttpRequest.new()\nx.open("GET", "http://127.0.0.1:${port}/", False)\nx.send()\nprint(x.responseText)`;

describe('walls against the network', PATIENT, () => {
  const NETWORK: readonly Wall[] = ['policy', 'requests', 'proxy'];

  async function reached(without: readonly Wall[]): Promise<number> {
    const [host, server] = await Promise.all([builtHost([...without, 'globals']), countingServer()]);
    try {
      await told(await started(host.sandboxes), request(server.port));
      return server.count();
    } finally {
      await host.end();
      await server.close();
    }
  }

  test('without any of them a request leaves', async () => {
    expect(await reached(NETWORK)).toBeGreaterThan(0);
  });

  test.each(NETWORK)('the wall "%s" alone holds a request back', async (wall) => {
    expect(await reached(NETWORK.filter((other) => other !== wall))).toBe(0);
  });
});

describe('the other walls', PATIENT, () => {
  async function with_<T>(without: readonly Wall[], work: (host: BuiltHost) => Promise<T>): Promise<T> {
    const host = await builtHost(without);
    try {
      return await work(host);
    } finally {
      await host.end();
    }
  }

  const SECOND_SCRIPT =
    'import js\nx = js.XMLHttpRequest.new()\nx.open("GET", "/worker.js", False)\nx.send()\nprint(x.status)';

  test('the seal gives no script a second time, and without it one comes', async () => {
    const status = (host: BuiltHost) => started(host.sandboxes).then((repl) => told(repl, SECOND_SCRIPT));
    expect(await with_(['globals'], status)).toBe('404\n');
    expect(await with_(['globals', 'seal'], status)).toBe('200\n');
  });

  // The answer of a database comes later than the block that asks for it: JavaScript keeps it until the next block.
  const OPEN =
    'import js\nfrom pyodide.ffi import create_proxy\ndef ready(e): js.names = [e.target.result.objectStoreNames.length]\n' +
    'r = js.indexedDB.open("shared")\n' +
    'r.onupgradeneeded = create_proxy(lambda e: r.result.createObjectStore("secret") if MAKE else None)\n' +
    'r.onsuccess = create_proxy(lambda e: setattr(js, "stores", r.result.objectStoreNames.length))';

  test('one REPL does not see the storage of another, and without sessions of their own it does', async () => {
    const seen = async (host: BuiltHost): Promise<string> => {
      const [first, second] = [await started(host.sandboxes), await started(host.sandboxes)];
      const open = async (sandbox: Sandbox, make: boolean): Promise<string> => {
        await told(sandbox, `MAKE = ${make ? 'True' : 'False'}\n${OPEN}`);
        for (let tries = 0; tries < 100; tries += 1) {
          const text = await told(sandbox, 'import js\nprint(getattr(js, "stores", "later"))');
          if (!text.includes('later')) return text.trim();
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return 'never';
      };
      return `${await open(first, true)} ${await open(second, false)}`;
    };
    expect(await with_(['globals'], seen)).toBe('1 0');
    expect(await with_(['globals', 'ownSession'], seen)).toBe('1 1');
  });
});

describe.runIf(isRoot && process.platform === 'linux')('as an unprivileged user', PATIENT, () => {
  test('the operating system confines the process, and the code runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-unprivileged-'));
    const built = await builtHost();
    try {
      const home = join(folder, 'home');
      chmodSync(folder, 0o755);
      mkdirSync(home);
      chmodSync(home, 0o777);
      // Another user may not look into the folder in which it was installed.
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
      // Electron's own `fs` takes an .asar file for a folder.
      execFileSync('rm', ['-rf', folder]);
    }
  });
});

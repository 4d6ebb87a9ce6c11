import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Sandbox } from '../../core/ports/programs/sandbox';
import { HostProcess } from './host-process';
import { attempts } from './testing/attempts';
import {
  type BuiltHost,
  builtHost,
  settings,
  started,
  takeOver,
  told,
  type Wall,
} from './testing/built-host';
import { countingServer } from './testing/counting-server';

const request = (port: number): string =>
  `import js\nx = js.XMLHttpRequest.new()\nx.open("GET", "http://127.0.0.1:${port}/", False)\nx.send()\nprint(x.responseText)`;

describe('walls against the network', () => {
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

  test('a request leaves the sandbox without any wall', async () => {
    expect(await reached(NETWORK)).toBeGreaterThan(0);
  });

  test.each(NETWORK)('the wall "%s" alone holds a request back', async (wall) => {
    expect(await reached(NETWORK.filter((other) => other !== wall))).toBe(0);
  });
});

describe('the other walls', () => {
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

  const FETCH = 'import js\nprint("ESCAPED" if js.fetch else "")';

  test('Python gets no globals of JavaScript, no script a second time and no file beside the nine, and without these walls it does', async () => {
    const seen = async (host: BuiltHost): Promise<string[]> => {
      writeFileSync(join(host.out, 'sandbox', 'secret.txt'), 'secret');
      const repl = await started(host.sandboxes);
      const texts: string[] = [];
      for (const code of [SECOND_SCRIPT, SECOND_SCRIPT.replace('worker.js', 'secret.txt'), FETCH])
        texts.push((await told(repl, code)).trim());
      return texts;
    };
    expect(await with_(['globals'], seen)).toEqual(['404', '404', 'ESCAPED']);
    expect(await with_(['globals', 'fileList', 'seal'], seen)).toEqual(['200', '200', 'ESCAPED']);
  });

  test('without the policy a constructor gives Python the globals of the worker', async () => {
    const found = attempts.filter(({ name }) => name.startsWith('constructor'));
    const texts = await with_(['policy'], async (host) => {
      const repl = await started(host.sandboxes);
      const left: string[] = [];
      for (const { code } of found) left.push(await told(repl, code));
      return left;
    });
    expect(texts.filter((text) => text.includes('ESCAPED')).length).toBeGreaterThan(3);
  });

  test('the proxy holds back what no request filter sees, and without it a datagram leaves', async () => {
    const sent = async (without: readonly Wall[]): Promise<number> => {
      const server = await countingServer();
      const code = `import js\njs.kept = js.WebTransport.new("https://127.0.0.1:${server.port}/")`;
      try {
        return await with_([...without, 'globals', 'policy'], async (host) => {
          const repl = await started(host.sandboxes);
          await told(repl, code);
          for (let waited = 0; waited < 20 && server.count() === 0; waited += 1)
            await told(repl, 'import time\ntime.sleep(0.1)');
          return server.count();
        });
      } finally {
        await server.close();
      }
    };
    expect(await sent([])).toBe(0);
    expect(await sent(['proxy'])).toBeGreaterThan(0);
  });

  test('memory is limited in Python and for the whole process, and without these walls it is not', async () => {
    const large = 'b = bytearray(1_200_000_000)\nfor i in range(0, len(b), 65_536): b[i] = 1\nprint(len(b))';
    // A busy machine needs many seconds for a gigabyte of new pages.
    const open = async (host: BuiltHost) =>
      told(await started(host.sandboxes, { memoryMb: 1_100 }), large, 60);
    expect(await with_(['wasmMemory', 'processMemory'], open)).toBe('1200000000\n');
    expect(await with_(['wasmMemory'], open)).toBe('lost: memory');
    expect(await with_(['processMemory'], open)).toContain('MemoryError');
  });

  const PAGE = `
    const later = (work) => setTimeout(work, 300);
    console.log('at ' + location.search);
    try { require('node:fs').writeFileSync(HOST_FILE, 'x'); } catch {}
    console.log('permission ' + Notification.permission);
    later(() => console.log('window ' + (window.open('about:blank') !== null)));
    if (location.search === '') later(() => { location.href = '/index.html?again'; });`;

  test('a page that was taken over finds no Node, gets no permission and opens and becomes no other page, and without these walls it does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-taken-over-'));
    const told_ = async (without: readonly Wall[], last: string): Promise<string> => {
      const name = join(folder, String(without.length));
      await with_(without, async (host) => {
        takeOver(host, PAGE.replace('HOST_FILE', JSON.stringify(`${name}.escaped`)), `${name}.log`);
        // Without walls it becomes a page without a REPL.
        const starting = host.sandboxes.start({ ...settings });
        await vi.waitFor(() => expect(readFileSync(`${name}.log`, 'utf8')).toContain(last));
        if (without.length > 0) return;
        const started_ = await starting;
        if (started_.ok) await told(started_.value, 'import time\ntime.sleep(1)');
      });
      return `${readFileSync(`${name}.log`, 'utf8')}${existsSync(`${name}.escaped`) ? 'wrote a file' : ''}`;
    };
    try {
      expect((await told_([], 'window')).trim().split('\n')).toEqual([
        'at ',
        'permission denied',
        'window false',
      ]);
      const all = ['noNode', 'noPermissions', 'noWindows', 'noNavigation', 'seal'] as const;
      const open = await told_(all, 'at ?again');
      for (const line of ['permission granted', 'window true', 'wrote a file']) expect(open).toContain(line);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const DOWNLOAD = `
    setTimeout(() => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(['taken']));
      link.download = 'taken.txt';
      link.click();
      console.log('clicked');
    }, 300);`;

  test('a page that was taken over downloads nothing, and without the wall it writes a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-download-'));
    const downloaded = (without: readonly Wall[]): Promise<boolean> =>
      with_(without, async (host) => {
        const log = join(folder, `${without.length}.log`);
        takeOver(host, DOWNLOAD, log);
        const repl = await started(host.sandboxes);
        await vi.waitFor(() => expect(readFileSync(log, 'utf8')).toContain('clicked'), 60_000);
        const file = join(dirname(host.entry), 'downloaded.txt');
        if (without.length > 0) await vi.waitFor(() => expect(existsSync(file)).toBe(true), 60_000);
        else await told(repl, 'import time\ntime.sleep(1)');
        return existsSync(file);
      });
    try {
      expect(await downloaded(['noDownloads'])).toBe(true);
      expect(await downloaded([])).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('a host that the operating system does not confine refuses, and starts where the operator accepts that', async () => {
    await with_([], async ({ electron, entry }) => {
      // It does not know that it runs unconfined.
      const args = [entry, '--no-sandbox'];
      const host = new HostProcess({ electron: { program: electron, args }, isRoot: false, spareMs: 0 });
      const refused = await host.start({ ...settings, allowWeak: false });
      expect(refused.ok ? '' : `${refused.error.message} ${refused.error.mend}`).toMatch(
        /sandbox is off .*--no-sandbox.*--allow-weak-sandbox/,
      );
      const weak = await host.start({ ...settings, allowWeak: true });
      expect(weak.ok && weak.value.confinement).toEqual({
        osSandbox: false,
        detail: 'started with --no-sandbox',
      });
      await host.stop();
    });
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

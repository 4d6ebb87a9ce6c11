import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, test } from '@playwright/test';

const root = join(import.meta.dirname, '..');
const COPIED = [
  ...['src', 'tools', 'resources', 'package.json', 'electron.vite.config.ts'],
  // Shown by the help of the window.
  ...['README.md', 'CHANGELOG.md', 'docs'],
];

/** A copy of the source, so that its changes do not disturb other tests. */
function copySource(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-dev-'));
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The process ids of this name in the app's log, oldest first. */
function started(log: string, name: string): number[] {
  const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
  return [...text.matchAll(new RegExp(`${name}: running, process (\\d+)`, 'g'))].map((match) =>
    Number(match[1]),
  );
}

test('npm run dev reloads the page and restarts the core, the terminal host or the app when its source changes', async () => {
  test.setTimeout(360_000);
  const folder = copySource();
  const data = join(folder, 'data');
  const log = join(data, 'logs', 'main.log');
  const change = (file: string, code: string) => appendFileSync(join(folder, 'src', file), `\n${code}\n`);
  let said = '';
  const args = ['tools/dev/index.mjs', '--data-dir', data, '--remote-debugging-port=0'];
  const dev: ChildProcess = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => dev.once('exit', resolve));
  for (const stream of [dev.stdout, dev.stderr])
    stream?.on('data', (chunk) => {
      said += chunk;
    });
  const apps = () => said.match(/the app runs as process/g)?.length ?? 0;
  const soon = (condition: () => unknown) => expect.poll(condition, { timeout: 120_000, message: said });
  try {
    await soon(() => started(log, 'core').length).toBe(1);
    await soon(() => started(log, 'terminal host').length).toBe(1);
    const [, address] = said.match(/DevTools listening on ws:\/\/([^/]+)/) ?? [];
    const browser = await chromium.connectOverCDP(`http://${address}`);
    const page = browser.contexts()[0]?.pages()[0];
    if (page === undefined) throw new Error('the app shows no page');
    // Vite bundles the page's packages first.
    await expect(page.locator('#root')).not.toBeEmpty({ timeout: 120_000 });

    change('main/core-host/host.ts', "console.log('the changed core runs');");
    await soon(() => readFileSync(log, 'utf8')).toContain('core: the changed core runs');
    await soon(() => started(log, 'core').length).toBe(2);
    expect(started(log, 'terminal host')).toHaveLength(1);

    change('main/pty-host/index.ts', "console.log('the changed terminal host runs');");
    await soon(() => started(log, 'terminal host').length).toBe(2);
    expect(readFileSync(log, 'utf8')).toContain('terminal host: the changed terminal host runs');
    expect(started(log, 'core')).toHaveLength(2);

    change('renderer/main.tsx', "document.documentElement.dataset.source = 'changed';");
    await expect(page.locator('html')).toHaveAttribute('data-source', 'changed');
    expect(apps()).toBe(1);
    await browser.close();

    change('main/index.ts', "console.log('the changed main process runs');");
    await soon(() => said).toContain('the changed main process runs');
    await soon(() => started(log, 'core').length).toBe(3);
    expect(apps()).toBe(2);
  } finally {
    dev.kill('SIGTERM');
    expect(await ended).toBe(0);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

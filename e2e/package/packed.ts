import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, expect, type Page } from '@playwright/test';

/** The packed app as `npm run package` leaves it; its fuses forbid what Playwright's own launcher needs. */
export function packedApp(): string {
  const dist = join(process.cwd(), 'dist');
  const folders = existsSync(dist) ? readdirSync(dist).map((name) => join(dist, name)) : [];
  const names = ['muster', 'Muster.exe', join('Muster.app', 'Contents', 'MacOS', 'Muster')];
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync);
  if (found === undefined) throw new Error('no packed app in dist/: run npm run package first');
  return found;
}

export interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly debugAddress: Promise<string>;
}

interface Start {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Another program than the one in dist/. */
  readonly program?: string;
}

export function start(home: string, extra: Start = {}): Running {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [...asRoot, '--remote-debugging-port=0', `--user-data-dir=${join(home, 'data')}`];
  const child = spawn(extra.program ?? packedApp(), [...args, ...(extra.args ?? [])], {
    detached: process.platform !== 'win32',
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, ...extra.env },
  });
  let output = '';
  const debugAddress = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const match = /DevTools listening on (ws:\S+)/.exec(output);
        if (match?.[1] !== undefined) resolve(match[1]);
      });
    }
    child.on('exit', (code) => reject(new Error(`the app ended with ${code}\n${output}`)));
  });
  return { child, output: () => output, debugAddress };
}

/** The app and what it started, as one group: a crash of the test must not leave an Electron behind. */
export async function stop({ child, debugAddress }: Running): Promise<void> {
  debugAddress.catch(() => undefined);
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (process.platform === 'win32') child.kill();
  else process.kill(-child.pid, 'SIGKILL');
  await ended;
}

export async function seesWindow({ debugAddress }: Running): Promise<void> {
  const browser = await chromium.connectOverCDP(await debugAddress);
  const context = browser.contexts()[0];
  if (context === undefined) throw new Error('the app has no browser context');
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  await expect(page.locator('body')).not.toBeEmpty();
  await expect(page).toHaveTitle(/Muster/);
  await browser.close();
}

export type Call = <T>(name: string, input: unknown) => Promise<T>;

export async function withPage<T>({ debugAddress }: Running, work: (page: Page) => Promise<T>): Promise<T> {
  const browser = await chromium.connectOverCDP(await debugAddress);
  const context = browser.contexts()[0];
  const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
  if (page === undefined) throw new Error('the app has no window');
  await expect(page).toHaveTitle(/Muster/);
  const done = await work(page);
  await browser.close();
  return done;
}

/** Works with the core through the window, as the window's own pages do. */
export const withWindow = <T>(running: Running, work: (call: Call) => Promise<T>): Promise<T> =>
  withPage(running, (page) =>
    work(async <V>(name: string, input: unknown): Promise<V> => {
      const reply = await page.evaluate(
        ([which, what]) => window.muster.call(which as string, what),
        [name, input],
      );
      expect(reply).toMatchObject({ ok: true });
      return (reply as { value: V }).value;
    }),
  );

export interface RunNow {
  readonly row: { readonly status: string };
  readonly state: { readonly activations: Record<string, { readonly outputs: Record<string, unknown> }> };
}

export async function ended(call: Call, runId: number): Promise<RunNow> {
  const status = async () => (await call<RunNow>('run.get', { runId })).row.status;
  await expect.poll(status, { timeout: 120_000 }).not.toBe('running');
  return call<RunNow>('run.get', { runId });
}

/** The sample from its making to its end: resources, terminals, scripted agents and SQLite as they are in the package. */
export const runsTheSample = (running: Running): Promise<string> =>
  withWindow(running, async (call) => {
    const { id } = await call<{ id: number }>('project.createSample', {});
    const file = '.muster/workflows/three-readers.yaml';
    const { runId } = await call<{ runId: number }>('run.start', { projectId: id, file });
    return (await ended(call, runId)).row.status;
  });

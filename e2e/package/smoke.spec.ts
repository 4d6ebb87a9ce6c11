import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { chromium, expect, type Page, test } from '@playwright/test';
import { startModelServer } from '../fixtures/model-server';

/** A fuse is a character in the executable. */
const ON = '1'.charCodeAt(0);
const OFF = '0'.charCodeAt(0);

/** The packed app as `npm run package` leaves it; its fuses forbid what Playwright's own launcher needs. */
function packedApp(): string {
  const dist = join(process.cwd(), 'dist');
  const folders = existsSync(dist) ? readdirSync(dist).map((name) => join(dist, name)) : [];
  const names = ['muster', 'Muster.exe', join('Muster.app', 'Contents', 'MacOS', 'Muster')];
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync);
  if (found === undefined) throw new Error('no packed app in dist/: run npm run package first');
  return found;
}

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly debugAddress: Promise<string>;
}

function start(home: string, extra: { args?: string[]; env?: Record<string, string> } = {}): Running {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [...asRoot, '--remote-debugging-port=0', `--user-data-dir=${join(home, 'data')}`];
  const child = spawn(packedApp(), [...args, ...(extra.args ?? [])], {
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
async function stop({ child, debugAddress }: Running): Promise<void> {
  debugAddress.catch(() => undefined);
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (process.platform === 'win32') child.kill();
  else process.kill(-child.pid, 'SIGKILL');
  await ended;
}

async function seesWindow({ debugAddress }: Running): Promise<void> {
  const browser = await chromium.connectOverCDP(await debugAddress);
  const context = browser.contexts()[0];
  if (context === undefined) throw new Error('the app has no browser context');
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  await expect(page.locator('body')).not.toBeEmpty();
  await expect(page).toHaveTitle(/Muster/);
  await browser.close();
}

type Call = <T>(name: string, input: unknown) => Promise<T>;

async function withPage<T>({ debugAddress }: Running, work: (page: Page) => Promise<T>): Promise<T> {
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
const withWindow = <T>(running: Running, work: (call: Call) => Promise<T>): Promise<T> =>
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

interface RunNow {
  readonly row: { readonly status: string };
  readonly state: { readonly activations: Record<string, { readonly outputs: Record<string, unknown> }> };
}

async function ended(call: Call, runId: number): Promise<RunNow> {
  const status = async () => (await call<RunNow>('run.get', { runId })).row.status;
  await expect.poll(status, { timeout: 120_000 }).not.toBe('running');
  return call<RunNow>('run.get', { runId });
}

/** The sample from its making to its end: resources, terminals, scripted agents and SQLite as they are in the package. */
const runsTheSample = (running: Running): Promise<string> =>
  withWindow(running, async (call) => {
    const { id } = await call<{ id: number }>('project.createSample', {});
    const file = '.muster/workflows/three-readers.yaml';
    const { runId } = await call<{ runId: number }>('run.start', { projectId: id, file });
    return (await ended(call, runId)).row.status;
  });

/** A question whose Python runs in the sandbox that the packed app starts of itself. */
const answersAQuestion = (running: Running, project: string): Promise<RunNow> =>
  withWindow(running, async (call) => {
    const { id: projectId } = await call<{ id: number }>('project.add', { path: project });
    const { runId } = await call<{ runId: number }>('rlm.start', {
      uid: '01J00000000000000000000000',
      projectId,
      question: 'How many letters?',
      documents: ['notes.txt'],
      root: { profile: 'root' },
      // Where the tests run as root the operating system's sandbox is off.
      allowWeakSandbox: true,
    });
    return ended(call, runId);
  });

test.describe('the packed app', () => {
  let home: string;
  let running: Running | undefined;

  test.beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'muster-packed-'));
  });
  test.afterEach(async () => {
    if (running) await stop(running);
    running = undefined;
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  test('the packed app shows its window', async () => {
    running = start(home);
    await seesWindow(running);
  });

  test('the packed app carries the licences of the packages in it, and the settings lead to them', async () => {
    running = start(home);
    const path = await withWindow(running, async (call) => {
      const info = await call<{ noticesPath: string | null }>('app.info', {});
      return info.noticesPath ?? '';
    });
    const text = readFileSync(path, 'utf8');
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const [name, version] of Object.entries(dependencies))
      expect(text).toContain(`\n${name} ${version}\n`);
    for (const name of ['react', '@xyflow/react', '@codemirror/view', 'pyodide', 'elkjs'])
      expect(text).toMatch(new RegExp(`\n${name} \\d.*\nLicence: `));
    expect(text).toContain('Eclipse Public License - v 2.0');
    await withPage(running, async (page) => {
      await page.evaluate(() => {
        location.hash = '#/settings/system';
      });
      await expect(page.getByRole('button', { name: 'Show third-party licences' })).toBeVisible();
    });
  });

  test('the packed app runs the sample to its end', async () => {
    running = start(home);
    expect(await runsTheSample(running)).toBe('succeeded');
  });

  test('the packed app answers a question over documents with Python in its sandbox', async () => {
    const models = await startModelServer();
    const project = join(home, 'project');
    mkdirSync(join(project, '.muster'), { recursive: true });
    writeFileSync(join(project, 'notes.txt'), 'sixteen letters.');
    const root = { kind: 'gateway', id: 'root', name: 'Root', api: 'openai', base_url: models.url };
    const profiles = [{ ...root, model: 'scripted' }];
    writeFileSync(join(project, '.muster', 'agents.yaml'), JSON.stringify({ profiles }));
    models.script({
      when: () => true,
      answer: { text: '```repl\nimport sys\nFINAL(f"{len(context[0])} letters in {sys.platform}")\n```' },
    });
    running = start(home);
    const { row, state } = await answersAQuestion(running, project);
    await models.close();
    expect(row.status).toBe('succeeded');
    expect(JSON.stringify(state.activations)).toContain('16 letters in emscripten');
  });

  test('the packed app opens no inspector, neither by switch nor by NODE_OPTIONS', async () => {
    running = start(home, { args: ['--inspect=0'], env: { NODE_OPTIONS: '--inspect=0' } });
    await seesWindow(running);
    expect(running.output()).not.toContain('Debugger listening');
  });

  test('the packed app carries the fuses that the packing sets', async () => {
    const fuses = await getCurrentFuseWire(packedApp());
    expect({
      runAsNode: fuses[FuseV1Options.RunAsNode],
      cookieEncryption: fuses[FuseV1Options.EnableCookieEncryption],
      nodeOptions: fuses[FuseV1Options.EnableNodeOptionsEnvironmentVariable],
      inspect: fuses[FuseV1Options.EnableNodeCliInspectArguments],
      onlyAsar: fuses[FuseV1Options.OnlyLoadAppFromAsar],
      files: fuses[FuseV1Options.GrantFileProtocolExtraPrivileges],
    }).toEqual({
      runAsNode: ON,
      cookieEncryption: ON,
      nodeOptions: OFF,
      inspect: OFF,
      onlyAsar: ON,
      files: OFF,
    });
  });
});

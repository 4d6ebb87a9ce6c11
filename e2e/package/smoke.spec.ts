import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { extractFile, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect, test } from '@playwright/test';
import { startModelServer } from '../fixtures/model-server';
import {
  ended,
  packedApp,
  type RunNow,
  type Running,
  runsTheSample,
  seesWindow,
  start,
  stop,
  withPage,
  withWindow,
} from './packed';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** A fuse is a character in the executable. */
const ON = '1'.charCodeAt(0);
const OFF = '0'.charCodeAt(0);

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

  test('the list of what is shipped has every package in the archive and in the built code, and none of the tests', () => {
    const list = JSON.parse(readFileSync(join('dist', `muster-${version}.cdx.json`), 'utf8')) as {
      components: { name: string; version: string; licenses?: unknown[] }[];
    };
    const names = new Set(list.components.map((one) => `${one.name} ${one.version}`));
    const archive = join(dirname(packedApp()), 'resources', 'app.asar');
    const packed = listPackage(archive, { isPack: false })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path))
      .map(
        (path) =>
          JSON.parse(extractFile(archive, path.slice(1)).toString()) as { name: string; version: string },
      );
    expect(packed.length).toBeGreaterThan(0);
    for (const one of packed) expect(names).toContain(`${one.name} ${one.version}`);
    const all = list.components.map(({ name }) => name);
    expect(all).toEqual(expect.arrayContaining(['electron', 'react', 'pyodide', 'better-sqlite3']));
    for (const name of ['vitest', '@playwright/test', 'typescript', 'electron-builder'])
      expect(all).not.toContain(name);
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

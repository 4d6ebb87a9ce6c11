import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { makeDeb, makeRpm } from '../../tools/package/linux/packages.mjs';
import { type Running, start, stop, withWindow } from './packed';

const dist = join(process.cwd(), 'dist');

/** How a system installs packages of a kind into an empty root, without their dependencies. */
interface Kind {
  readonly tools: readonly string[];
  /** The package of the tested program, in dist/ or made now. */
  first(folder: string): Promise<string>;
  newer(folder: string): Promise<string>;
  prepare(root: string): void;
  install(root: string, file: string): readonly string[];
  remove(root: string): readonly string[];
}

const source = join(dist, 'linux-unpacked');

const dpkg = (root: string, ...args: string[]) => [
  ...(process.getuid?.() === 0 ? [] : ['fakeroot']),
  'dpkg',
  `--root=${root}`,
  '--force-depends',
  '--force-script-chrootless',
  '--force-not-root',
  '--log=/dev/null',
  ...args,
];

const kinds: Readonly<Record<string, Kind>> = {
  deb: {
    tools: ['dpkg-deb'],
    // The one that the packing made.
    first: async () => join(dist, readdirSync(dist).find((name) => name.endsWith('.deb')) ?? 'no.deb'),
    newer: (out) => makeDeb({ source, out, version: '0.1.1', fast: true }),
    prepare: (root) => {
      const database = join(root, 'var', 'lib', 'dpkg');
      for (const folder of ['info', 'updates', 'triggers'])
        mkdirSync(join(database, folder), { recursive: true });
      for (const file of ['status', 'available']) writeFileSync(join(database, file), '');
    },
    install: (root, file) => dpkg(root, '--install', file),
    remove: (root) => dpkg(root, '--remove', 'muster'),
  },
  rpm: {
    tools: ['rpmbuild', 'rpm'],
    first: (out) => makeRpm({ source, out, fast: true }),
    newer: (out) => makeRpm({ source, out, version: '0.1.1', fast: true }),
    prepare: () => undefined,
    // The empty root has no shell for the scripts, which have nothing to do in it.
    install: (root, file) => ['rpm', `--root=${root}`, '--nodeps', '--noscripts', '--upgrade', file],
    remove: (root) => ['rpm', `--root=${root}`, '--nodeps', '--noscripts', '--erase', 'muster'],
  },
};

const perform = ([command = '', ...args]: readonly string[]) =>
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });

/** A project whose run waits at a gate. */
function projectWithGate(home: string): string {
  const folder = join(home, 'project');
  mkdirSync(join(folder, '.muster', 'workflows'), { recursive: true });
  const workflow = {
    name: 'Ask',
    workspace: 'folder',
    steps: [
      { id: 'work', type: 'step.command', config: { script: 'echo kept' } },
      { id: 'ask', type: 'step.approval', config: { message: 'Go on?' } },
      // Run by the packed command line, whose own Node mode is not for the programs that it starts.
      {
        id: 'after',
        type: 'step.command',
        config: { script: 'printenv ELECTRON_RUN_AS_NODE || echo "not as Node"' },
      },
    ],
    cables: [
      { from: 'work.data_out', to: 'ask.context_in' },
      { from: 'ask.approved_out', to: 'after.context_in' },
    ],
  };
  writeFileSync(join(folder, '.muster', 'workflows', 'ask.yaml'), JSON.stringify(workflow));
  return folder;
}

interface Gate {
  readonly runId: number;
  readonly gateId: number;
}

for (const [name, kind] of Object.entries(kinds)) {
  const absent = kind.tools.find((tool) => spawnSync(tool, ['--version']).status !== 0);
  test(`the ${name} is installed, run from the menu and the command line, upgraded with a run at a gate, and removed with the data kept`, async () => {
    test.skip(absent !== undefined, `${absent} is not installed`);
    await installsAndUpgrades(kind);
  });
}

async function installsAndUpgrades(kind: Kind): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'muster-root-'));
  const file = (...parts: string[]) => join(root, 'usr', ...parts);
  const home = mkdtempSync(join(tmpdir(), 'muster-home-'));
  let running: Running | undefined;
  const app = () => start(home, { program: file('lib', 'muster', 'muster') });
  const muster = (...args: string[]) =>
    execFileSync(file('bin', 'muster'), [...args, '--data-dir', join(home, 'data')], {
      encoding: 'utf8',
      env: { ...process.env, HOME: home, XDG_CACHE_HOME: home },
      cwd: home,
    });
  try {
    kind.prepare(root);
    perform(kind.install(root, await kind.first(home)));
    expect(lstatSync(file('bin', 'muster')).isSymbolicLink()).toBe(true);
    // Chromium's own sandbox, where user namespaces are off.
    expect(statSync(file('lib', 'muster', 'chrome-sandbox')).mode & 0o4000).toBe(0o4000);
    const entry = readFileSync(file('share', 'applications', 'dev.muster.console.desktop'), 'utf8');
    expect(entry).toContain('Exec=/usr/lib/muster/muster %U');
    expect(entry).toContain('MimeType=x-scheme-handler/muster;');
    for (const shared of [
      'metainfo/dev.muster.console.metainfo.xml',
      'pixmaps/muster.png',
      'doc/muster/copyright',
    ])
      expect(existsSync(file('share', shared)), shared).toBe(true);
    expect(muster('--version').trim()).toBe('0.1.0');

    running = app();
    const project = projectWithGate(home);
    const gate = await withWindow(running, async (call) => {
      const { id: projectId } = await call<{ id: number }>('project.add', { path: project });
      const { runId } = await call<{ runId: number }>('run.start', {
        projectId,
        file: '.muster/workflows/ask.yaml',
      });
      const open = () => call<Gate[]>('gate.list', { status: 'open', runId });
      await expect.poll(async () => (await open()).length).toBe(1);
      return (await open())[0] as Gate;
    });
    await stop(running);

    perform(kind.install(root, await kind.newer(home)));
    expect(muster('gates')).toContain(`${gate.runId}/${gate.gateId}`);
    expect(muster('approve', `${gate.runId}/${gate.gateId}`)).toMatch(/run +succeeded/);
    expect(muster('output', String(gate.runId), 'work.data_out')).toContain('kept');
    expect(muster('output', String(gate.runId), 'after.data_out')).toContain('not as Node');

    perform(kind.remove(root));
    expect(existsSync(file('lib', 'muster'))).toBe(false);
    expect(existsSync(file('bin', 'muster'))).toBe(false);
    expect(existsSync(join(home, 'data', 'muster.db'))).toBe(true);
  } finally {
    if (running) await stop(running);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Terminal, TerminalPlace } from '../../../core/ports/programs/terminal';
import { Terminals } from '../../pty/terminals';
import { PtyClient } from '../client';
import { ShellTerminals } from './shell-terminals';

const thread = new URL('./no-such-thread.js', import.meta.url);
const runtime = process.env.XDG_RUNTIME_DIR;
let folder = '';
let host: Terminals;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-shells-')));
  mkdirSync(join(folder, 'sub'));
  mkdirSync(join(folder, 'state'));
  process.env.XDG_RUNTIME_DIR = join(folder, 'state');
  host = new Terminals(folder, thread, false);
});
afterEach(async () => {
  await host.close(0);
  if (runtime === undefined) delete process.env.XDG_RUNTIME_DIR;
  else process.env.XDG_RUNTIME_DIR = runtime;
  rmSync(folder, { recursive: true, force: true });
});

const place = (number = 1): TerminalPlace => ({
  owner: `run/s${number}`,
  cwd: folder,
  env: {},
  outputBase: join(folder, 'terminals', `s${number}`),
});
const output = (number = 1): string => `${place(number).outputBase}-0.log`;

/** A core's side of the shells, and its end by kill -9. */
function core() {
  const client = new PtyClient();
  const instead = {
    begin: async () => undefined,
    create: () => Promise.reject(new Error('no')),
    close: async () => undefined,
  };
  const environment = async () => ({ PATH: process.env.PATH ?? '', HOME: folder });
  const shells = new ShellTerminals({ client, environment, instead });
  let hear: ((raw: unknown) => void) | null = null;
  const line = host.connect({ post: (message) => void setImmediate(() => hear?.(message)) });
  let dead = false;
  client.connect({
    post: (message) => dead || line.message(message),
    onMessage: (listener) => {
      hear = listener;
    },
    onClose: () => undefined,
  });
  const open = async (command: string, number = 1): Promise<Terminal> => {
    const made = await shells.create({
      ...place(number),
      command,
      args: [],
      requested: { cwd: null, env: {} },
      outputByteLimit: 1_000_000,
      onOutput: () => undefined,
    });
    if (!made.ok) throw new Error(made.error.message);
    return made.value;
  };
  const run = async (command: string, number = 1): Promise<string> => {
    const terminal = await open(command, number);
    await terminal.waitForExit();
    return (await terminal.output()).text;
  };
  const kill = (): void => {
    dead = true;
    hear = null;
    line.gone();
  };
  return { client, shells, open, run, kill };
}

const isGone = (pid: string): boolean => !existsSync(`/proc/${pid.trim()}`);
const states = (): string[] => readdirSync(join(folder, 'state'));

test('a shell goes on with its resumed session: the same process, its variables, functions and folder', async () => {
  const first = core();
  await first.run('A=1; f() { echo "f $A"; }; cd sub');
  const pid = await first.run('echo $$');
  first.kill();
  const second = core();
  await second.shells.begin(place(), 'earlier');
  expect(await second.run('f; pwd; echo $$')).toBe(`f 1\n${folder}/sub\n${pid}`);
  // A second time, including what the second core did in it.
  await second.run('A=2');
  second.kill();
  const third = core();
  await third.shells.begin(place(), 'earlier');
  expect(await third.run('f; echo $$')).toBe(`f 2\n${pid}`);
  await third.shells.close('run/s1', 'over');
  expect(isGone(pid)).toBe(true);
  expect(states()).toEqual([]);
});

test('a command whose core is gone is interrupted, and its environment and folder are kept', async () => {
  const first = core();
  await first.run('export B=2; cd sub');
  const pid = await first.run('echo $$');
  await first.open(`export B=3; touch ${folder}/runs; sleep 600`);
  await expect.poll(() => existsSync(join(folder, 'runs'))).toBe(true);
  first.kill();
  const second = core();
  await second.shells.begin(place(), 'earlier');
  expect(await second.run('echo $B; pwd')).toBe(`3\n${folder}/sub\n`);
  expect(isGone(pid)).toBe(true);
  await second.shells.close('run/s1', 'over');
});

test('a shell that is not taken up is ended with its state, by a new conversation or by the end of all', async () => {
  const first = core();
  const pids = [await first.run('echo $$', 1), await first.run('echo $$', 2), await first.run('echo $$', 3)];
  first.kill();
  const second = core();
  await second.client.greeted(30_000);
  await second.shells.awaitOnly(new Set([output(1), output(2)]));
  expect(pids.map(isGone)).toEqual([false, false, true]);
  await second.shells.begin(place(1), 'new');
  expect(pids.map(isGone)).toEqual([true, false, true]);
  expect(second.shells.waiting).toBe(true);
  await second.shells.awaitOnly(new Set());
  expect(pids.map(isGone)).toEqual([true, true, true]);
  expect(second.shells.waiting).toBe(false);
  expect(states()).toEqual([]);
  expect(await second.run('echo new', 1)).toBe('new\n');
  await second.shells.close('run/s1', 'over');
});

test('a shell beside a busy one ends with its core, and one that ended meanwhile goes on from its state', async () => {
  const first = core();
  await first.run('export C=4');
  await first.open(`touch ${folder}/runs; while [ ! -e ${folder}/go ]; do sleep 0.02; done; exit 3`);
  const beside = await first.open('echo $$; sleep 600');
  await expect.poll(async () => (await beside.output()).text).toMatch(/\d/);
  const pid = (await beside.output()).text;
  first.kill();
  await expect.poll(() => isGone(pid), { timeout: 120_000 }).toBe(true);
  writeFileSync(join(folder, 'go'), '');
  const second = core();
  await second.shells.begin(place(), 'earlier');
  expect(await second.run('echo $C')).toBe('4\n');
  await second.shells.close('run/s1', 'over');
});

test('the shell of a parked session leaves what it saved to the next one, also under another core', async () => {
  const first = core();
  await first.run('export D=5; f() { echo "f $D"; }; cd sub');
  const pid = await first.run('echo $$');
  await first.shells.close('run/s1', 'resumable');
  expect(isGone(pid)).toBe(true);
  await first.shells.begin(place(), 'earlier');
  expect(await first.run('f; pwd')).toBe(`f 5\n${folder}/sub\n`);
  await first.run('export D=6');
  await first.shells.close('run/s1', 'resumable');
  first.kill();
  const second = core();
  await second.client.greeted(30_000);
  await second.shells.awaitOnly(new Set());
  await second.shells.keepResting(new Set([output(1)]));
  await second.shells.begin(place(), 'earlier');
  expect(await second.run('f; pwd')).toBe(`f 6\n${folder}/sub\n`);
  await second.shells.close('run/s1', 'over');
  expect(states()).toEqual([]);
});

test('saved shell state survives a core that was killed before its first command', async () => {
  const first = core();
  await first.run('export E=7');
  await first.shells.close('run/s1', 'resumable');
  await first.shells.begin(place(), 'earlier');
  first.kill();
  const second = core();
  await second.shells.begin(place(), 'earlier');
  expect(await second.run('echo $E')).toBe('7\n');
  await second.shells.close('run/s1', 'over');
  expect(states()).toEqual([]);
});

test('a session ends also where it cannot be noted that its shell rests', async () => {
  const first = core();
  await first.run('true');
  rmSync(join(folder, 'state'), { recursive: true });
  await first.shells.close('run/s1', 'resumable');
  mkdirSync(join(folder, 'state'));
  await first.shells.begin(place(), 'earlier');
  expect(await first.run('echo anew')).toBe('anew\n');
  await first.shells.close('run/s1', 'over');
});

test('the saved shell state of a parked session is removed with a new conversation, and when no one can resume it', async () => {
  const one = core();
  await one.run('export E=7', 1);
  await one.run('export E=8', 2);
  await one.shells.close('run/s1', 'resumable');
  await one.shells.close('run/s2', 'resumable');
  expect(states()).toHaveLength(2);
  await one.shells.begin(place(1), 'new');
  expect(await one.run('echo "[$E]"', 1)).toBe('[]\n');
  await one.shells.close('run/s1', 'over');
  await one.shells.keepResting(new Set([output(1)]));
  expect(states()).toEqual([]);
});

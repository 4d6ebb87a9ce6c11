import { spawn } from 'node:child_process';
import type { FromPtyHost, TerminalExit, ToPtyHost } from '@areas/terminals/contract/host';
import { expect, test } from 'vitest';
import { PtyClient, type TerminalEnd } from './client';

const exit: TerminalExit = { exitCode: 3, signal: null, bytes: 12, errors: [], error: null };
const kept = { id: 'k', pid: 77, outputPath: '/k.log', bytes: 12, offset: 20, killed: false, ended: false };

/** A simulated terminal process that only exchanges messages. */
function host(client: PtyClient) {
  const said: ToPtyHost[] = [];
  let hear: (raw: unknown) => void = () => undefined;
  let close: () => void = () => undefined;
  client.connect({
    post: (message) => void said.push(message),
    onMessage: (listener) => {
      hear = listener;
    },
    onClose: (listener) => {
      close = listener;
    },
  });
  return { said, say: (message: FromPtyHost) => hear(message), close: () => close() };
}

function listener() {
  const heard: unknown[] = [];
  return {
    heard,
    created: (pid: number) => void heard.push(['created', pid]),
    printed: (bytes: number) => void heard.push(['printed', bytes]),
    ended: (end: TerminalEnd) => void heard.push(['ended', end]),
  };
}

test('a kept terminal is taken up again, once, with what it has printed', async () => {
  const client = new PtyClient();
  const { say, said } = host(client);
  say({ kind: 'hello', pid: 1, open: [kept] });
  expect(client.kept()).toEqual([kept]);
  expect([...client.openOutputs()]).toEqual(['/k.log']);
  const mine = listener();
  const handle = client.reattach('k', mine);
  expect(client.reattach('k', listener())).toBe(null);
  await Promise.resolve();
  handle?.write('x');
  say({ kind: 'printed', outputs: [{ id: 'k', bytes: 15, offset: 23 }] });
  say({ kind: 'exited', id: 'k', exit });
  expect(mine.heard).toEqual([
    ['created', 77],
    ['printed', 12],
    ['printed', 15],
    ['ended', { kind: 'exited', id: 'k', exit }],
  ]);
  expect(said).toEqual([{ kind: 'write', id: 'k', data: 'x' }]);
  expect(client.kept()).toEqual([]);
});

test('what a kept terminal printed, and that it ended, before it was taken up is known', async () => {
  const client = new PtyClient();
  const { say } = host(client);
  say({ kind: 'hello', pid: 1, open: [kept] });
  say({ kind: 'printed', outputs: [{ id: 'k', bytes: 15, offset: 23 }] });
  say({ kind: 'exited', id: 'k', exit });
  expect(client.kept()).toEqual([{ ...kept, bytes: 15, offset: 23, ended: true }]);
  const mine = listener();
  client.reattach('k', mine);
  await Promise.resolve();
  expect(mine.heard.slice(0, 2)).toEqual([
    ['created', 77],
    ['printed', 15],
  ]);
});

test('a kept terminal that ended before it was taken up says how it ended', async () => {
  const client = new PtyClient();
  const { say } = host(client);
  say({ kind: 'hello', pid: 1, open: [kept] });
  say({ kind: 'exited', id: 'k', exit });
  expect([...client.openOutputs()]).toEqual([]);
  const mine = listener();
  client.reattach('k', mine);
  await Promise.resolve();
  expect(mine.heard.at(-1)).toEqual(['ended', { kind: 'exited', exit }]);
});

test('a watcher hears of every terminal, and a new host is told the limit', () => {
  const client = new PtyClient();
  client.setLimit(5000);
  const heard: unknown[] = [];
  client.watch({
    opened: (path) => void heard.push(['opened', path]),
    printed: (path, offset) => void heard.push(['printed', path, offset]),
    evicted: (path, before) => void heard.push(['evicted', path, before]),
    ended: (path) => void heard.push(['ended', path]),
  });
  const { say, said, close } = host(client);
  say({ kind: 'hello', pid: 1, open: [kept] });
  say({ kind: 'printed', outputs: [{ id: 'k', bytes: 15, offset: 23 }] });
  say({ kind: 'evicted', id: 'k', before: 10 });
  close();
  expect(said).toEqual([{ kind: 'limits', terminalBytes: 5000 }]);
  expect(heard).toEqual([
    ['opened', '/k.log'],
    ['printed', '/k.log', 23],
    ['evicted', '/k.log', 10],
    ['ended', '/k.log'],
  ]);
});

test('kept terminals are known once the terminal process has said hello, or never', async () => {
  const client = new PtyClient();
  expect(await client.greeted(0)).toBe(false);
  const { say, close } = host(client);
  const soon = client.greeted(60_000);
  say({ kind: 'hello', pid: 1, open: [kept] });
  expect(await soon).toBe(true);
  expect(await client.greeted(0)).toBe(true);
  close();
  expect(await client.greeted(0)).toBe(false);
});

test('the client confirms each end of a terminal; terminals without an owner are ended and forgotten, early and late', async () => {
  const client = new PtyClient();
  const { say, said } = host(client);
  say({ kind: 'hello', pid: 1, open: [kept, { ...kept, id: 'mine' }, { ...kept, id: 'other' }] });
  const mine = client.reattach('mine', listener());
  client.endStrays(({ id }) => id !== 'other');
  expect(said.splice(0)).toEqual([{ kind: 'kill', id: 'k', graceMs: 2000 }]);
  say({ kind: 'exited', id: 'k', exit });
  expect(said.splice(0)).toEqual([{ kind: 'taken', id: 'k' }]);
  say({ kind: 'exited', id: 'mine', exit });
  expect(said).toEqual([]);
  mine?.taken();
  expect(said.splice(0)).toEqual([{ kind: 'taken', id: 'mine' }]);
  say({ kind: 'hello', pid: 1, open: [{ ...kept, id: 'late' }] });
  expect(said.splice(0)).toEqual([{ kind: 'kill', id: 'late', graceMs: 2000 }]);
  expect(client.kept().map(({ id }) => id)).toEqual(['other']);
});

test('a terminal that is being taken up, and whose past is still being read, does not count as one without an owner', async () => {
  const client = new PtyClient();
  client.claim(({ id }) => id === 'shell');
  const { say, said } = host(client);
  say({ kind: 'hello', pid: 1, open: [{ ...kept, id: 'shell' }, kept] });
  client.endStrays(() => true);
  expect(said).toEqual([{ kind: 'kill', id: 'k', graceMs: 2000 }]);
  const mine = listener();
  expect(client.reattach('shell', mine)).not.toBe(null);
  await Promise.resolve();
  expect(mine.heard).toEqual([
    ['created', 77],
    ['printed', 12],
  ]);
});

test('nothing begins in a new terminal process while a program of the one that died still lives', async () => {
  const client = new PtyClient();
  const first = host(client);
  const spec = {
    file: 'sh',
    args: [],
    cwd: '/',
    env: {},
    outputPath: '/a.log',
    cols: 80,
    rows: 24,
    hold: false,
    keep: false,
  };
  const mine = listener();
  client.open('a', spec, mine);
  const program = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  const gone = new Promise((resolve) => program.once('exit', resolve));
  first.say({ kind: 'created', id: 'a', pid: program.pid ?? 0 });
  first.close();
  expect(mine.heard.at(-1)).toEqual(['ended', { kind: 'lost' }]);
  const second = host(client);
  client.open('b', spec, listener());
  const created = () => second.said.filter(({ kind }) => kind === 'create');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(created()).toEqual([]);
  program.kill('SIGKILL');
  await gone;
  await expect.poll(created).toHaveLength(1);
});

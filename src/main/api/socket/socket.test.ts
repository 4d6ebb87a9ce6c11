import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SOCKET_LINE_BYTES } from '@contract/limits';
import { afterEach, expect, test } from 'vitest';
import { FakeCore } from '../testing/fake-core';
import { readEndpoint, writeEndpoint } from './endpoint-file';
import { LocalSocket } from './server';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function folder(...below: string[]): string {
  const path = mkdtempSync(join(tmpdir(), 'muster-test-'));
  cleanups.push(() => rmSync(path, { recursive: true, force: true }));
  const inner = join(path, ...below);
  mkdirSync(inner, { recursive: true });
  return inner;
}

async function serve(core = new FakeCore(), dataDir = folder()) {
  const endpointFile = join(dataDir, 'core-endpoint.json');
  const opened = await LocalSocket.open({ core, endpointFile, version: '1.2.3', apiAddress: () => null });
  if (!opened.ok) throw new Error(opened.error.message);
  cleanups.push(() => opened.value.close());
  const endpoint = readEndpoint(endpointFile);
  if (endpoint === null) throw new Error('no endpoint');
  return { socket: opened.value, endpoint, endpointFile, dataDir };
}

/** Sends lines and returns everything received until the server closes. */
async function talk(path: string, ...lines: (string | object)[]): Promise<unknown[]> {
  const client = connect(path);
  client.on('error', () => undefined);
  for (const line of lines) client.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  const said = await text(client);
  return said
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** An accepted client; `next` waits for the next message. */
async function friend(endpoint: { path: string; token: string }) {
  const client = connect(endpoint.path);
  cleanups.push(() => client.destroy());
  const lines: unknown[] = [];
  let rest = '';
  client.on('error', () => undefined);
  client.on('data', (chunk) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push(JSON.parse(part));
  });
  const say = (message: unknown): void => void client.write(`${JSON.stringify(message)}\n`);
  const next = async (): Promise<unknown> => {
    await expect.poll(() => lines.length, { interval: 5 }).toBeGreaterThan(0);
    return lines.shift();
  };
  say({ token: endpoint.token });
  const ready = await next();
  return { client, say, next, ready };
}

test('the endpoint is for its owner only, and goes when the socket is closed', async () => {
  const { socket, endpoint, endpointFile, dataDir } = await serve();
  expect(statSync(endpointFile).mode & 0o777).toBe(0o600);
  expect(statSync(endpoint.path).mode & 0o777).toBe(0o600);
  expect(endpoint).toMatchObject({ pid: process.pid, version: '1.2.3' });
  await socket.close();
  expect(readdirSync(dataDir)).toEqual([]);
});

test('an endpoint of another core is not removed', async () => {
  const { socket, endpointFile } = await serve();
  writeEndpoint(endpointFile, { path: '/elsewhere', token: 'x'.repeat(32), pid: 1, version: '1' });
  await socket.close();
  expect(readEndpoint(endpointFile)).toMatchObject({ path: '/elsewhere' });
});

test('a client without the token gets no answer', async () => {
  const core = new FakeCore({ 'gate.list': () => [] });
  const { endpoint } = await serve(core);
  const refused = { kind: 'fatal', error: { code: 'input.invalid', message: 'the token is wrong' } };
  const call = { kind: 'rpc', id: 1, name: 'gate.list', input: {} };
  const wrong = [{ token: 'x'.repeat(64) }, { token: '' }, {}, 'no json', 'null', call];
  for (const hello of wrong) expect(await talk(endpoint.path, hello, call)).toEqual([refused]);
  expect(core.calls).toEqual([]);
});

test('a first line without an end is cut off', async () => {
  const { endpoint } = await serve();
  const said = await talk(endpoint.path, 'x'.repeat(10_000));
  expect(said).toEqual([{ kind: 'fatal', error: { code: 'input.invalid', message: 'a line was too long' } }]);
});

test('calls are answered by their number, and pushes go to connected clients', async () => {
  const core = new FakeCore({ 'gate.list': () => ['a gate'] });
  const { endpoint } = await serve(core);
  const { say, next, ready } = await friend(endpoint);
  expect(ready).toEqual({ kind: 'ready', pid: process.pid, version: '1.2.3', apiAddress: null });
  say({ kind: 'rpc', id: 7, name: 'gate.list', input: { limit: 1 } });
  expect(await next()).toEqual({ kind: 'reply', id: 7, reply: { ok: true, value: ['a gate'] } });
  expect(core.calls).toEqual([{ name: 'gate.list', input: { limit: 1 } }]);
  say({ kind: 'subscribe', topics: ['run:3'] });
  say({ kind: 'rpc', id: 8, name: 'nothing', input: null });
  expect(await next()).toMatchObject({ kind: 'reply', id: 8, reply: { ok: false } });
  expect(core.followed.at(-1)).toEqual(['run:3']);
  core.push({ topic: 'workflows', projectId: 1 });
  expect(await next()).toEqual({ kind: 'push', pushes: [{ topic: 'workflows', projectId: 1 }] });
});

test('a line that is no message ends the connection, and nothing of it stays', async () => {
  const core = new FakeCore();
  const { endpoint } = await serve(core);
  for (const bad of [
    { kind: 'shutdown', stop: true },
    { kind: 'subscribe', topics: ['everything'] },
    'garbage',
  ]) {
    const said = await talk(endpoint.path, { token: endpoint.token }, bad);
    expect(said.map((message) => (message as { kind: string }).kind)).toEqual(['ready', 'fatal']);
  }
  expect(core.listening).toBe(0);
});

test('a line beyond the limit ends the connection', async () => {
  const { endpoint } = await serve();
  const { client, next } = await friend(endpoint);
  const part = Buffer.alloc(4 * 1024 * 1024, 'x');
  for (let sent = 0; sent <= SOCKET_LINE_BYTES; sent += part.length) client.write(part);
  expect(await next()).toMatchObject({ kind: 'fatal', error: { message: 'a line was too long' } });
});

test('a client that does not read is let go, and one that floods is not read on', async () => {
  let running = 0;
  let most = 0;
  let answered = 0;
  const core = new FakeCore({ 'gate.list': () => [] }, async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(20);
    running -= 1;
    answered += 1;
  });
  const { endpoint } = await serve(core);
  const flood = await friend(endpoint);
  for (let id = 0; id < 5000; id += 1)
    flood.say({ kind: 'rpc', id, name: 'gate.list', input: { pad: 'x'.repeat(500) } });
  await expect.poll(() => answered).toBeGreaterThan(1000);
  expect(most).toBeLessThan(1000);
  flood.client.destroy();

  const deaf = await friend(endpoint);
  deaf.client.pause();
  const big = {
    topic: 'stream' as const,
    runId: 1,
    turnId: 1,
    from: 0,
    items: [{ type: 'text' as const, text: 'x'.repeat(4_000_000) }],
  };
  for (let count = 0; count < 12; count += 1) core.push(big);
  await expect.poll(() => core.listening).toBe(0);
});

test('the socket of a dead instance is replaced, that of a live one is not', async () => {
  const dataDir = folder();
  // Left by a killed process: a socket file without a listener.
  const path = join(dataDir, 'core.sock');
  writeFileSync(path, '');
  const { socket } = await serve(new FakeCore(), dataDir);
  const second = await LocalSocket.open({
    core: new FakeCore(),
    endpointFile: join(dataDir, 'core-endpoint.json'),
    version: '1',
    apiAddress: () => null,
  });
  expect(second).toMatchObject({ ok: false, error: { code: 'store.locked' } });
  await socket.close();
  const third = await serve(new FakeCore(), dataDir);
  expect(third.endpoint.path).toBe(path);
});

test('a data folder with a long name gets a short socket in a private folder', async () => {
  const { socket, endpoint } = await serve(new FakeCore(), folder('a'.repeat(100)));
  expect(Buffer.byteLength(endpoint.path)).toBeLessThan(100);
  const home = join(endpoint.path, '..');
  expect(statSync(home).mode & 0o777).toBe(0o700);
  expect((await friend(endpoint)).ready).toMatchObject({ kind: 'ready' });
  await socket.close();
  expect(existsSync(home)).toBe(false);
});

test('a folder that cannot hold a socket is an error, not a fault', async () => {
  const dataDir = folder();
  const busy = createServer();
  await new Promise<void>((resolve) => busy.listen(join(dataDir, 'core.sock'), resolve));
  cleanups.push(() => new Promise((resolve) => busy.close(resolve)));
  const opened = await LocalSocket.open({
    core: new FakeCore(),
    endpointFile: join(dataDir, 'core-endpoint.json'),
    version: '1',
    apiAddress: () => null,
  });
  expect(opened.ok).toBe(false);
  const blocked = folder();
  mkdirSync(join(blocked, 'core.sock', 'full'), { recursive: true });
  const refused = await LocalSocket.open({
    core: new FakeCore(),
    endpointFile: join(blocked, 'core-endpoint.json'),
    version: '1',
    apiAddress: () => null,
  });
  expect(refused).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  const missing = await LocalSocket.open({
    core: new FakeCore(),
    endpointFile: join(dataDir, 'none', 'e.json'),
    version: '1',
    apiAddress: () => null,
  });
  expect(missing).toMatchObject({ ok: false, error: { code: 'unavailable' } });
});

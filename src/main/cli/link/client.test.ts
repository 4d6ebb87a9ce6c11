import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Push } from '@contract/ipc';
import { afterEach, expect, test } from 'vitest';
import { readEndpoint, writeEndpoint } from '../../api/socket/endpoint-file';
import { LocalSocket } from '../../api/socket/server';
import { FakeCore } from '../../api/testing/fake-core';
import { connectCore } from './client';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function home(): string {
  const path = mkdtempSync(join(tmpdir(), 'muster-test-'));
  cleanups.push(() => rmSync(path, { recursive: true, force: true }));
  return join(path, 'core-endpoint.json');
}

async function served(core: FakeCore, dbPath?: string) {
  const endpointFile = home();
  const opened = await LocalSocket.open({
    core,
    endpointFile,
    version: '1',
    ...(dbPath === undefined ? {} : { dbPath }),
    apiAddress: () => 'http://here',
  });
  if (!opened.ok) throw new Error(opened.error.message);
  cleanups.push(() => opened.value.close());
  const client = await connectCore(endpointFile);
  if (client === null || !client.ok) throw new Error('not connected');
  cleanups.push(() => client.value.close());
  return { endpointFile, socket: opened.value, client: client.value };
}

test('calls, pushes and the address of the API come through', async () => {
  const core = new FakeCore({ 'gate.list': () => ['gate'] });
  const { client, socket } = await served(core);
  expect([client.kind, client.pid, client.apiAddress()]).toEqual(['attached', process.pid, 'http://here']);
  const heard: Push[] = [];
  const following = client.follow(['run:1'], (pushes) => heard.push(...pushes));
  const answers = await Promise.all([client.call('gate.list', {}), client.call('none', {})]);
  expect(answers).toMatchObject([{ ok: true, value: ['gate'] }, { ok: false }]);
  expect(core.followed.at(-1)).toEqual(['run:1']);
  core.push({ topic: 'workflows', projectId: 3 });
  socket.tellApi(null);
  await client.call('gate.list', {});
  expect([heard, client.apiAddress()]).toEqual([[{ topic: 'workflows', projectId: 3 }], null]);
  following.end();
  await client.call('gate.list', {});
  expect(core.followed.at(-1)).toEqual([]);
});

test('when the core goes, calls under way and later ones are answered with why', async () => {
  const core = new FakeCore({}, () => new Promise(() => undefined));
  const { client, socket } = await served(core);
  const call = client.call('gate.list', {});
  await socket.close();
  const gone = { ok: false, error: { code: 'unavailable', message: 'this Muster is shutting down' } };
  expect(await call).toEqual(gone);
  await client.lost;
  expect(await client.call('gate.list', {})).toEqual(gone);
});

test('no core is found where none answers, and one that refuses or is silent is an error', async () => {
  const endpointFile = home();
  expect(await connectCore(endpointFile)).toBeNull();
  writeEndpoint(endpointFile, {
    path: join(endpointFile, 'nothing'),
    token: 'x'.repeat(32),
    pid: 1,
    version: '1',
  });
  expect(await connectCore(endpointFile)).toBeNull();

  const { endpointFile: right } = await served(new FakeCore());
  const endpoint = readEndpoint(right);
  writeEndpoint(endpointFile, { path: endpoint?.path ?? '', token: 'x'.repeat(32), pid: 1, version: '1' });
  expect(await connectCore(endpointFile)).toMatchObject({
    ok: false,
    error: { message: 'the token is wrong' },
  });
});

test('a core that ends before it lets anyone in counts as missing', async () => {
  const endpointFile = home();
  const path = `${endpointFile}.sock`;
  const server = createServer((socket) => socket.once('data', () => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  writeEndpoint(endpointFile, { path, token: 'x'.repeat(32), pid: 7, version: '9' });
  expect(await connectCore(endpointFile)).toBeNull();
});

test('a core that says goodbye, or whose place another one has taken, counts as missing', async () => {
  const endpointFile = home();
  const path = `${endpointFile}.sock`;
  const leave = `${JSON.stringify({ kind: 'fatal', error: { code: 'unavailable', message: 'this Muster is shutting down' } })}\n`;
  let leaving = (): void => rmSync(endpointFile);
  const server = createServer((socket) =>
    socket.once('data', () => {
      leaving();
      socket.end(leave);
    }),
  );
  await new Promise<void>((resolve) => server.listen(path, resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  const endpoint = { path, token: 'x'.repeat(32), pid: 7, version: '9' };
  writeEndpoint(endpointFile, endpoint);
  expect(await connectCore(endpointFile)).toBeNull();
  writeEndpoint(endpointFile, endpoint);
  leaving = () => writeEndpoint(endpointFile, { ...endpoint, token: 'y'.repeat(32) });
  expect(await connectCore(endpointFile)).toBeNull();
});

test('a core that works on another database is not asked', async () => {
  const { endpointFile } = await served(new FakeCore(), '/data/live.db');
  expect(await connectCore(endpointFile, '/backup/muster.db')).toMatchObject({
    ok: false,
    error: { code: 'unavailable', message: expect.stringContaining('/data/live.db') },
  });
  const same = await connectCore(endpointFile, '/data/../data/live.db');
  expect(same?.ok).toBe(true);
  if (same?.ok) await same.value.close();
});

test('a core of another protocol is not listened to', async () => {
  const endpointFile = home();
  const path = `${endpointFile}.sock`;
  const server = createServer((socket) => socket.resume().write('{"kind":"hello"}\n'));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  writeEndpoint(endpointFile, { path, token: 'x'.repeat(32), pid: 7, version: '9' });
  expect(await connectCore(endpointFile)).toMatchObject({
    ok: false,
    error: { code: 'unavailable', message: expect.stringContaining('version 9') },
  });
});

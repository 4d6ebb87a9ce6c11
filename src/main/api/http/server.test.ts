import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { appError } from '@contract/errors';
import { afterEach, expect, test } from 'vitest';
import { HTTP_BODY_BYTES } from '../../limits/core-sizes';
import { FakeCore } from '../testing/fake-core';
import { runRow } from '../testing/run-row';
import { HttpServer } from './server';
import { HttpSwitch } from './switch';
import { apiToken, apiTokenFile } from './token';

const TOKEN = 'f'.repeat(64);
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const row = runRow({ id: 12 });
const procedures = {
  'run.find': ({ name }: { name: string }) =>
    name === '12' || name === '01ABC'
      ? row
      : { ok: false, error: appError('not_found', `there is no run ${name}`) },
  'run.start': () => ({ runId: 12 }),
  'run.list': () => ({ rows: [row], more: false }),
  'run.get': () => ({ row, state: { seq: 3 } }),
  'run.events': () => [],
  'run.cancel': () => ({}),
  'run.resume': () => ({ ok: false, error: appError('run.not_resumable', 'the run is still running') }),
  'gate.list': () => [],
  'gate.resolve': () => ({ ok: false, error: appError('gate.bad_answer', 'no such option') }),
  'feed.list': () => ({ rows: [], more: false }),
  'project.add': () => ({ id: 5, path: '/p', name: 'p', addedAt: 1, trouble: null }),
  'project.list': () => [{ id: 4, path: '/q', name: 'q', addedAt: 1, trouble: null }],
};

async function serve(core = new FakeCore(procedures)) {
  const failed: unknown[] = [];
  const opened = await HttpServer.open({
    core,
    token: () => TOKEN,
    port: 0,
    failed: (cause) => failed.push(cause),
  });
  if (!opened.ok) throw new Error(opened.error.message);
  cleanups.push(() => opened.value.close());
  const { address } = opened.value;
  const ask = async (
    path: string,
    init: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) => {
    const body = init.body === undefined ? {} : { body: JSON.stringify(init.body) };
    const type: Record<string, string> =
      init.body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${TOKEN}`, ...type, ...init.headers };
    const {
      status,
      headers: got,
      body: said,
    } = await send(address + path, { method: init.method ?? 'GET', headers, ...body });
    return { status, headers: got, body: JSON.parse(said || 'null') };
  };
  return { core, address, ask, failed };
}

/** Node's own fetch adds a browser header (sec-fetch-mode) and hides the Host header. */
function send(
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const asked = request(url, { method, headers, agent: false }, (response) => {
        text(response).then(
          (said) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: said }),
          reject,
        );
      });
      asked.on('error', reject);
      asked.end(body);
    },
  );
}

test('a client without the token, from a page or under another name gets nothing', async () => {
  const { ask, core, address } = await serve();
  const { host } = new URL(address);
  const refused: [number, Record<string, string>][] = [
    [401, { authorization: '' }],
    [401, { authorization: `Bearer ${TOKEN.slice(1)}` }],
    [401, { authorization: `Basic ${TOKEN}` }],
    [403, { host: 'evil.example' }],
    [403, { host: `evil.example:${host.split(':')[1]}` }],
    [403, { host: '127.0.0.1' }],
    [403, { origin: address }],
    [403, { origin: 'null' }],
    [403, { 'sec-fetch-site': 'none' }],
  ];
  for (const [status, headers] of refused) {
    for (const path of ['/runs', '/events', '/health', '/nothing']) {
      const answer = await ask(path, { headers });
      expect([answer.status, headers]).toEqual([status, headers]);
      expect(answer.body.error).toMatchObject({ code: 'input.invalid' });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  }
  expect(core.calls).toEqual([]);
  expect((await ask('/runs', { headers: { authorization: '' } })).headers['www-authenticate']).toBe('Bearer');
  expect((await ask('/runs', { headers: { host: `localhost:${host.split(':')[1]}` } })).status).toBe(200);
});

test('the server listens on the loopback address only', async () => {
  const { address } = await serve();
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('a run is started in a project by number, name or folder', async () => {
  const { ask, core } = await serve();
  const body = { file: 'w.yaml', instruction: 'go', attachments: ['a.txt'], inputs: { lang: 'en' } };
  const started = await ask('/runs', { method: 'POST', body: { ...body, projectId: 3 } });
  expect(started).toMatchObject({ status: 201, headers: { location: '/runs/12' }, body: row });
  const input = { ...body, projectId: 3, startedBy: 'http api' };
  expect(core.calls[0]).toEqual({ name: 'run.start', input });
  await ask('/runs', { method: 'POST', body: { ...body, project: '/p' } });
  await ask('/runs', { method: 'POST', body: { ...body, project: 'q' } });
  const starts = core.calls
    .filter(({ name }) => name === 'run.start')
    .map(({ input: given }) => (given as { projectId: number }).projectId);
  expect(starts).toEqual([3, 5, 4]);
  expect(await ask('/runs', { method: 'POST', body: { ...body, project: 'r' } })).toMatchObject({
    status: 404,
    body: { error: { code: 'not_found' } },
  });
});

test('a refused start leaves no project behind, and keeps one that was there before', async () => {
  const refused = {
    ...procedures,
    'run.start': () => ({ ok: false, error: appError('not_found', 'there is no file w.yaml') }),
    'project.add': ({ path }: { path: string }) => ({
      id: path === '/q' ? 4 : 5,
      path,
      name: 'p',
      addedAt: 1,
      trouble: null,
      isNew: path !== '/q',
    }),
    'project.remove': () => ({}),
  };
  const { ask, core } = await serve(new FakeCore(refused));
  for (const project of ['/etc', '/q'])
    expect(await ask('/runs', { method: 'POST', body: { file: 'w.yaml', project } })).toMatchObject({
      status: 404,
    });
  expect(core.calls.filter(({ name }) => name === 'project.remove')).toEqual([
    { name: 'project.remove', input: { projectId: 5 } },
  ]);
});

test('a refused start of a team leaves no project behind, and keeps one that was there before', async () => {
  const template = {
    projectId: 4,
    projectName: 'p',
    file: '.muster/teams/known.yaml',
    name: 'known',
    description: null,
    members: [],
    config: {},
    problems: [],
  };
  const refused = {
    ...procedures,
    'team.templates': () => [template],
    'team.start': () => ({ ok: false, error: appError('validation.config', 'the team has no members') }),
    'project.add': ({ path }: { path: string }) => ({
      id: path === '/q' ? 4 : 5,
      path,
      name: 'p',
      addedAt: 1,
      trouble: null,
      isNew: path !== '/q',
    }),
    'project.remove': () => ({}),
  };
  const { ask, core } = await serve(new FakeCore(refused));
  const start = async (name: string, project: string) =>
    (await ask('/teams', { method: 'POST', body: { name, project } })).status;
  expect([await start('unknown', '/etc'), await start('unknown', '/q')]).toEqual([404, 404]);
  expect([await start('known', '/etc'), await start('known', '/q')]).toEqual([422, 422]);
  const removed = core.calls.filter(({ name }) => name === 'project.remove');
  expect(removed.map(({ input }) => input)).toEqual([{ projectId: 5 }, { projectId: 5 }]);
});

test('a name of two projects is refused', async () => {
  const twins = [4, 5].map((id) => ({ id, path: `/${id}/app`, name: 'app', addedAt: 1, trouble: null }));
  const { ask, core } = await serve(new FakeCore({ ...procedures, 'project.list': () => twins }));
  expect(await ask('/runs', { method: 'POST', body: { file: 'w.yaml', project: 'app' } })).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict', mend: 'give the path of one: /4/app, /5/app' } },
  });
  expect(core.calls.some(({ name }) => name === 'run.start')).toBe(false);
});

test('runs, gates and the feed are read and steered', async () => {
  const { ask, core } = await serve();
  expect(await ask('/runs?limit=5&status=running')).toMatchObject({ status: 200, body: { rows: [row] } });
  expect(core.calls.at(-1)).toEqual({
    name: 'run.list',
    input: { limit: 5, status: 'running', binned: false },
  });
  expect(await ask('/runs/01ABC')).toMatchObject({ status: 200, body: { row, state: { seq: 3 } } });
  expect(await ask('/runs/99')).toMatchObject({ status: 404 });
  expect(await ask('/runs/12/events?after=3')).toMatchObject({
    status: 200,
    body: { events: [], next: null },
  });
  expect(core.calls.at(-1)).toEqual({
    name: 'run.events',
    input: { runId: 12, afterSeq: 3, limit: 1000, bytes: 8 * 1024 * 1024 },
  });
  expect(await ask('/runs/12/cancel', { method: 'POST' })).toMatchObject({
    status: 202,
    body: { runId: 12 },
  });
  expect(await ask('/runs/12/resume', { method: 'POST' })).toMatchObject({
    status: 409,
    body: { error: { code: 'run.not_resumable' } },
  });
  expect(await ask('/gates')).toMatchObject({ status: 200, body: { gates: [], next: null } });
  expect(await ask('/gates/12/1', { method: 'POST', body: { option: 'nope', reason: 'r' } })).toMatchObject({
    status: 422,
  });
  expect(core.calls.at(-1)).toEqual({
    name: 'gate.resolve',
    input: { runId: 12, gateId: 1, answer: { option: 'nope', reason: 'r' }, by: 'http api' },
  });
  expect(await ask('/feed?run=12&result=failed')).toMatchObject({ status: 200, body: { rows: [] } });
});

test('a fault in a request is named, with its status', async () => {
  const { ask } = await serve();
  const wrong: [number, string, { method?: string; body?: unknown; headers?: Record<string, string> }][] = [
    [404, '/', {}],
    [404, '/runs/12/nothing', {}],
    [405, '/runs/12', { method: 'DELETE' }],
    [405, '/runs', { method: 'OPTIONS' }],
    [400, '/runs?limt=5', {}],
    [400, '/runs?limit=many', {}],
    [400, '/runs', { method: 'POST', body: { file: 'w.yaml' } }],
    [400, '/runs', { method: 'POST', body: { file: 'w.yaml', projectId: 1, extra: true } }],
    [400, '/runs', { method: 'POST', body: { file: 'w.yaml', projectId: 1, uid: '../up' } }],
    [400, '/gates/12/1', { method: 'POST', body: { option: 'a', opinion: 'b' } }],
    [404, '/gates/12/one', { method: 'POST', body: { option: 'a' } }],
    [415, '/runs', { method: 'POST', body: { file: 'w.yaml' }, headers: { 'content-type': 'text/plain' } }],
    [400, '/events?after=x', {}],
    [400, '/events', { headers: { 'last-event-id': 'abc' } }],
    [400, '/events?after=5', {}],
  ];
  for (const [status, path, init] of wrong) {
    const answer = await ask(path, init);
    expect([answer.status, path]).toEqual([status, path]);
    expect(answer.body.error.message).not.toBe('');
  }
});

test('a body over the limit is refused, with or without its length, and a broken one too', async () => {
  const { address, core } = await serve();
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const told = await send(`${address}/runs`, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(HTTP_BODY_BYTES + 1) },
  }).catch(() => null);
  expect(told?.status ?? 413).toBe(413);
  const untold = await chunked(address, HTTP_BODY_BYTES + 100_000);
  expect(untold).toMatch(/^HTTP\/1\.1 413 /);
  expect((await send(`${address}/runs`, { method: 'POST', headers, body: '{"file":' })).status).toBe(400);
  expect(core.calls).toEqual([]);
});

test.each([
  { file: '/etc/passwd' },
  { file: '../other/w.yaml' },
  { file: 'w.yaml', attachments: ['/etc/shadow'] },
  { file: 'w.yaml', attachments: ['a/../../b'] },
])('a run of files outside of its project is refused: %j', async (body) => {
  const { ask, core } = await serve();
  const answer = await ask('/runs', { method: 'POST', body: { project: '/p', ...body } });
  expect([answer.status, answer.body.error.message]).toEqual([
    400,
    expect.stringContaining('below the folder of the project'),
  ]);
  expect(core.calls.filter(({ name }) => name === 'run.start')).toEqual([]);
});

test('a request with two Host headers is refused', async () => {
  const { address } = await serve();
  const { port, host } = new URL(address);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    `GET /health HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`,
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
});

/** A body without a declared length. */
async function chunked(address: string, bytes: number): Promise<string> {
  const { port, host } = new URL(address);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /runs HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const part = 'x'.repeat(50_000);
  for (let sent = 0; sent < bytes; sent += part.length)
    socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
  return text(socket);
}

test('an unforeseen error is logged and reported as internal, without its words', async () => {
  const core = new FakeCore({
    'gate.list': () => {
      throw new Error('secret words');
    },
  });
  const { ask, failed } = await serve(core);
  const answer = await ask('/gates');
  expect(answer).toMatchObject({ status: 500, body: { error: { code: 'internal' } } });
  expect(JSON.stringify(answer.body)).not.toContain('secret words');
  expect(String(failed[0])).toContain('secret words');
});

test('the token is made once, for its owner only', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-test-'));
  cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const token = apiToken(dataDir);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(apiToken(dataDir)).toBe(token);
  expect(statSync(apiTokenFile(dataDir)).mode & 0o777).toBe(0o600);
  writeFileSync(apiTokenFile(dataDir), 'spoilt');
  const next = apiToken(dataDir);
  expect(next).toMatch(/^[0-9a-f]{64}$/);
  expect(apiToken(dataDir)).toBe(next);
});

test('a token whose file was deleted no longer counts, and the one that replaced it does', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-test-'));
  cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const api = new HttpSwitch({
    core: new FakeCore(procedures),
    dataDir,
    logger,
    changed: () => undefined,
    trouble: () => undefined,
  });
  cleanups.push(() => api.close());
  await api.apply({ enabled: true, port: 0 });
  const status = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await send(`${api.address}/gates`, { method: 'GET', headers })).status;
  };
  const leaked = apiToken(dataDir);
  expect(await status(leaked)).toBe(200);
  rmSync(apiTokenFile(dataDir));
  expect(await status(leaked)).toBe(401);
  expect(await status(apiToken(dataDir))).toBe(200);
});

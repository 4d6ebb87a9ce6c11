import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RunEvent } from '@contract/run/events';
import { afterEach, expect, test } from 'vitest';
import { FakeCore } from '../testing/fake-core';
import { HttpServer } from './server';

const TOKEN = 'f'.repeat(64);
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(core: FakeCore, more: { patienceMs?: number } = {}): Promise<URL> {
  const failed = (cause: unknown) => expect.fail(String(cause));
  const opened = await HttpServer.open({ core, token: () => TOKEN, port: 0, failed, ...more });
  if (!opened.ok) throw new Error(opened.error.message);
  cleanups.push(() => opened.value.close());
  return new URL(opened.value.address);
}

/** A connection that sends these bytes and reads nothing. */
async function silent({ port, hostname }: URL, bytes: string): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  cleanups.push(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

function ask({ origin }: URL, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const asked = request(origin + path, { headers, agent: false }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    asked.on('error', reject);
    asked.end();
  });
}

const opening = ({ host }: URL, more = '') =>
  `GET /events?after=0 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\n${more}\r\n`;

const until = (ready: () => boolean) => expect.poll(ready, { interval: 5 }).toBe(true);

const large = (number: number): RunEvent => ({
  type: 'task.agent_task.reprompt_dispatched',
  module_id: 'x'.repeat(1_000_000),
  reprompt_index: number,
  reprompt_count: 100,
});

test('three hundred half-open connections do not shut a client with the token out', async () => {
  const address = await serve(new FakeCore({ 'gate.list': () => [] }));
  for (const bytes of ['', 'GET /gates HTTP/1.1\r\nHost: ', 'POST /runs HTTP/1.1\r\n'])
    for (let count = 0; count < 100; count += 1) await silent(address, bytes);
  expect(await ask(address, '/gates')).toMatchObject({ status: 200 });
});

test('a stream that is being read outlives any number of half-open connections', async () => {
  const core = new FakeCore({ 'gate.list': () => [] });
  const address = await serve(core);
  const reader = await silent(address, opening(address));
  let heard = '';
  reader.on('data', (chunk) => {
    heard += chunk;
  });
  await until(() => heard.includes('retry:'));
  for (let count = 0; count < 300; count += 1) await silent(address, '');
  core.commit(1, [{ type: 'timer.fired', timerId: 1 }]);
  await until(() => heard.includes('timer.fired'));
});

test('streams leave room for requests: one too many is refused with what to do', async () => {
  const core = new FakeCore({ 'gate.list': () => [] });
  const address = await serve(core);
  for (let count = 0; count < 64; count += 1) await silent(address, opening(address));
  await until(() => core.listening === 64);
  expect(await ask(address, '/events')).toMatchObject({
    status: 503,
    body: expect.stringContaining('close a stream you do not need'),
  });
  expect(await ask(address, '/gates')).toMatchObject({ status: 200 });
});

/** Collects incoming data without joining it. */
function collect(socket: Socket) {
  const chunks: Buffer[] = [];
  let tail = '';
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    tail = `${tail}${chunk.toString('latin1').slice(-80)}`.slice(-80);
  });
  return { tail: () => tail, text: () => Buffer.concat(chunks).toString('latin1') };
}

test('a reader that does not read holds one page of bytes, is dropped, and goes on by Last-Event-ID', async () => {
  const core = new FakeCore();
  const numbers = Array.from({ length: 30 }, (_, number) => number);
  core.commit(1, numbers.map(large));
  const address = await serve(core, { patienceMs: 1_500 });
  const reader = await silent(address, opening(address));
  reader.pause();
  const closed = once(reader, 'close');
  await until(() => core.listening === 1);
  await until(() => core.listening === 0);
  const pages = core.calls.flatMap(({ name, input }) =>
    name === 'event.page' && (input as { limit: number }).limit > 1 ? [input] : [],
  );
  for (const input of pages) expect(input).toMatchObject({ bytes: 256_000 });
  // The stream read what fits into the sockets' buffers and one more page, but not everything.
  expect(pages.length).toBeLessThan(25);
  const first = collect(reader);
  reader.resume();
  await closed;
  const heard = first.text();
  const whole = heard.slice(0, heard.lastIndexOf('\n\n') + 2);
  const last = Number([...whole.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? 0);
  const again = collect(await silent(address, opening(address, `Last-Event-ID: ${last}\r\n`)));
  await until(() => again.tail().includes('"reprompt_index":29,'));
  const told = [...`${whole}${again.text()}`.matchAll(/"reprompt_index":(\d+)/g)];
  expect(told.map(([, number]) => Number(number))).toEqual(numbers);
});

test('a reader who is often slow costs no listener for each wait', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on('warning', warned);
  cleanups.push(() => process.off('warning', warned));
  const core = new FakeCore();
  core.commit(
    1,
    Array.from({ length: 30 }, (_, number) => large(number)),
  );
  const address = await serve(core);
  const reader = collect(await silent(address, opening(address)));
  await until(() => reader.tail().includes('"reprompt_index":29,'));
  expect(warnings).toEqual([]);
});

import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { appError } from '@contract/errors';
import { HttpServer } from '@main/api/http/server';
import { FakeCore } from '@main/api/testing/fake-core';
import { afterEach, expect, test } from 'vitest';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const given = { gate: '12/1', title: 'Blocked', option: 'continue', label: 'Continue', by: 'Phone' };

/** The HTTP API over a core that knows one token. */
async function serve() {
  const core = new FakeCore({
    'delivery.answer': ({ token }: { token: string }) => {
      if (token === 'good') return given;
      const code =
        token === 'again' ? 'answer.used' : token === 'busy' ? 'answer.too_many' : 'answer.invalid';
      return { ok: false, error: appError(code, 'no') };
    },
    'gate.list': () => [],
  });
  const opened = await HttpServer.open({
    core,
    token: () => 'f'.repeat(64),
    port: 0,
    failed: () => undefined,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  cleanups.push(() => opened.value.close());
  const { address } = opened.value;
  const post = (body: string, { path = '/answers', method = 'POST', headers = {} } = {}) =>
    new Promise<{ status: number; body: unknown; headers: object }>((resolve, reject) => {
      const sent = request(
        `${address}${path}`,
        { method, headers: { 'content-type': 'application/json', ...headers } },
        (answer) =>
          void text(answer).then((said) =>
            resolve({
              status: answer.statusCode ?? 0,
              body: JSON.parse(said || 'null'),
              headers: answer.headers,
            }),
          ),
      );
      sent.on('error', reject);
      sent.end(body);
    });
  return { core, post };
}
const answer = (more: object = {}) => JSON.stringify({ token: 'good', option: 'continue', ...more });

test('the token in the body is all that an answer needs, and only an answer', async () => {
  const { core, post } = await serve();
  expect(await post(answer({ text: 'Yes.\nThe local one.' }))).toMatchObject({ status: 200, body: given });
  expect(core.calls.at(-1)).toMatchObject({
    name: 'delivery.answer',
    input: { token: 'good', text: 'Yes.\nThe local one.' },
  });
  for (const path of ['/gates', '/answers/', '/answers/12', '//answers', '/answers/../gates']) {
    expect((await post(answer(), { path })).status, path).toBe(401);
  }
});

test('each refusal has a status of its own', async () => {
  const { post } = await serve();
  expect((await post(answer({ token: 'x' }))).status).toBe(401);
  expect((await post(answer({ token: 'again' }))).status).toBe(409);
  expect(await post(answer({ token: 'busy' }))).toMatchObject({
    status: 429,
    headers: { 'retry-after': '60' },
  });
});

test('another method, host or origin is refused before the token is looked at', async () => {
  const { core, post } = await serve();
  expect((await post('', { method: 'GET' })).status).toBe(405);
  expect((await post(answer(), { method: 'PUT' })).status).toBe(405);
  for (const headers of [
    { host: 'evil.example' },
    { host: '127.0.0.1' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-origin' },
  ]) {
    expect((await post(answer(), { headers })).status, JSON.stringify(headers)).toBe(403);
  }
  expect(core.calls).toEqual([]);
});

test('bodies that are too large, no JSON or of another shape are refused', async () => {
  const { core, post } = await serve();
  expect((await post(answer({ text: 'x'.repeat(200_000) }))).status).toBe(413);
  expect((await post(answer({ text: 'x'.repeat(10_001) }))).status).toBe(400);
  expect((await post(answer({ token: 'x'.repeat(5_000) }))).status).toBe(400);
  expect((await post('{"token":')).status).toBe(400);
  expect((await post(answer(), { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  expect((await post(answer(), { path: '/answers?token=good' })).status).toBe(400);
  for (const body of [
    '{}',
    '[]',
    'null',
    '"good"',
    answer({ gate: 2 }),
    answer({ by: 'operator' }),
    answer({ option: 7 }),
    answer({ text: { toString: 'x' } }),
    answer({ text: 'bell \u0007' }),
    answer({ text: '\u001b[2J' }),
    '{"token":"good","option":"continue","__proto__":{"text":"x"}}',
    '{"token":"good","option":"continue","constructor":"x"}',
    '{"__proto__":{"token":"good","option":"continue"}}',
  ]) {
    expect((await post(body)).status, body).toBe(400);
  }
  expect(core.calls).toEqual([]);
});

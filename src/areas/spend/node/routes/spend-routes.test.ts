import { FakeCore } from '@main/api/testing/fake-core';
import { expect, test } from 'vitest';
import { spendRoutes } from './spend-routes';

const totals = { turns: 0, ms: null, tokens: null, costUsd: null, tokensUnreported: 0, costUnreported: 0 };
const home = {
  lookedAt: null,
  since: 1,
  now: 2,
  ended: [],
  failed: [],
  more: false,
  decisions: [],
  replies: [],
  pulls: [],
  waits: [],
  needs: 3,
  running: 0,
  unread: 0,
  spend: { totals, rows: [] },
};
const core = new FakeCore({
  'spend.list': () => ({ rows: [], more: false, pieces: null, totals }),
  'home.get': () => home,
  'home.looked': () => ({ before: 5 }),
});

async function send(path: string, { query = {}, body = {} }: { query?: object; body?: object }) {
  const route = spendRoutes.find((one) => one.path === path);
  return route?.handle({ core, words: {}, query, body });
}

test('spend is requested by group, time and project', async () => {
  const query = { by: 'model', from: '10', before: '20', project: '2', limit: '5' };
  expect(await send('/spend', { query })).toMatchObject({ ok: true, value: { body: { rows: [] } } });
  const input = { by: 'model', from: 10, before: 20, projectId: 2, limit: 5 };
  expect(core.calls.at(-1)).toEqual({ name: 'spend.list', input });
  await send('/spend', {});
  expect(core.calls.at(-1)).toEqual({ name: 'spend.list', input: { by: 'day' } });
});

test('Home is shown, and its mark is moved to a time or removed', async () => {
  expect(await send('/home', {})).toMatchObject({ value: { body: { needs: 3 } } });
  const looked = await send('/home/looked', { body: { at: null } });
  expect(looked).toMatchObject({ value: { body: { before: 5 } } });
  expect(core.calls.at(-1)).toEqual({ name: 'home.looked', input: { at: null } });
});

test.each([
  ['/spend', { query: { by: 'mood' } }],
  ['/spend', { query: { odd: '1' } }],
  ['/home', { query: { odd: '1' } }],
  ['/home/looked', { body: {} }],
])('a request to %s with %j is refused', async (path, given) => {
  expect(await send(path, given)).toMatchObject({ ok: false, error: { status: 400 } });
});

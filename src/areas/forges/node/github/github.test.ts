import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Forge } from '../../core/port';
import { ScriptedGithub, TOKEN } from '../testing/scripted-github';
import { Github } from './github';

let server: ScriptedGithub;
let forge: Forge;
let held: number[];

const NOW = Date.parse('2026-11-01T12:00:00Z');

const connect = (token = TOKEN, api = server.api): Github =>
  new Github({
    host: 'forge.test',
    api,
    token,
    now: () => NOW,
    held: (ms) => void held.push(ms),
    refused: () => undefined,
  });

beforeEach(async () => {
  server = await ScriptedGithub.start();
  onTestFinished(() => server.close());
  held = [];
  forge = connect();
});

const wish = {
  ...{ repository: 'acme/shop', headRepository: 'acme/shop', branch: 'muster/7-x', base: 'main' },
  ...{ title: 'Fix the till', body: 'It rounds.\n\n<!-- muster:K -->', draft: false },
};
const issue = (number: number, title: string, body = '') => ({
  ...{ number, title, body, author: 'ana', labels: ['bug'], state: 'open' as const, comments: [] },
});

test('a list of issues leaves out pull requests and names labels and authors', async () => {
  server.model.issues = [issue(7, 'The till rounds'), issue(8, 'Add a coupon')];
  const listed = await forge.issues('acme/shop', { search: '', label: undefined, state: 'open', page: 1 });
  expect(listed).toMatchObject({
    ok: true,
    value: {
      more: false,
      rows: [{ number: 7, title: 'The till rounds', author: 'ana', labels: ['bug'] }, { number: 8 }],
    },
  });
});

test('words of a search never become qualifiers of it', async () => {
  server.model.issues = [issue(7, 'The till rounds'), issue(8, 'Add a coupon')];
  const found = await forge.issues('acme/shop', {
    search: 'till "repo:other/one',
    label: undefined,
    state: 'open',
    page: 1,
  });
  expect(found).toMatchObject({ ok: true, value: { rows: [] } });
  const query = new URL(server.requests[0]?.path ?? '', server.api).searchParams.get('q');
  expect(query).toBe('repo:acme/shop is:issue state:open "till" "repo:other/one"');
});

test('a thousand comments are read page by page, and the rest is said to be missing', async () => {
  const comments = Array.from({ length: 1_050 }, (_, at) => ({ author: 'ben', body: `comment ${at}` }));
  server.model.issues = [{ ...issue(7, 'Long'), comments }];
  const found = await forge.issue({ repository: 'acme/shop', number: 7 });
  expect(found.ok && [found.value.discussion.length, found.value.moreComments]).toEqual([1_000, true]);
});

test('a pull request is opened once and found by its mark, whatever its state', async () => {
  expect(await forge.findPull(wish, '<!-- muster:K -->')).toEqual({ ok: true, value: null });
  const made = await forge.createPull(wish);
  expect(made).toMatchObject({ ok: true, value: { number: 101, state: 'open' } });
  Object.assign(server.model.pulls[0] ?? {}, { state: 'closed' });
  expect(await forge.findPull(wish, '<!-- muster:K -->')).toMatchObject({
    ok: true,
    value: { number: 101, state: 'closed' },
  });
  expect(await forge.findPull(wish, '<!-- muster:other -->')).toEqual({ ok: true, value: null });
});

test('a pull request shows failed checks with the end of their log, reviews and comments', async () => {
  await forge.createPull(wish);
  server.model.checksOf = () => [
    { id: 5, name: 'unit', conclusion: 'failure', log: `${'x'.repeat(20_000)}\nError: 1 !== 2` },
    { id: 6, name: 'lint', conclusion: null, log: '' },
  ];
  const at = '2026-11-01T11:00:00Z';
  const [pull] = server.model.pulls;
  pull?.reviews.push({ id: 1, author: 'cem', state: 'CHANGES_REQUESTED', body: 'Round down.', at });
  pull?.lineComments.push({ id: 2, author: 'cem', body: 'here', path: 'src/till.ts', line: 4, at });
  const read = await forge.pull({ repository: 'acme/shop', number: 101 });
  expect(read).toMatchObject({
    ok: true,
    value: {
      ...{
        number: 101,
        state: 'open',
        conflict: 'none',
        blocked: null,
        methods: ['squash', 'merge', 'rebase'],
      },
      checks: [
        { name: 'unit', state: 'failed' },
        { name: 'lint', state: 'pending', log: null },
      ],
      reviews: [{ author: 'cem', verdict: 'changes_requested', body: 'Round down.' }],
      comments: [{ author: 'cem', path: 'src/till.ts', line: 4 }],
    },
  });
  const log = (read.ok && read.value.checks[0]?.log) || '';
  expect([log.length, log.endsWith('Error: 1 !== 2')]).toEqual([8_192, true]);
});

test('a second read transfers only what has changed', async () => {
  await forge.createPull(wish);
  await forge.pull({ repository: 'acme/shop', number: 101 });
  const before = server.requests.length;
  expect((await forge.pull({ repository: 'acme/shop', number: 101 })).ok).toBe(true);
  expect(server.requests.slice(before).map(({ status }) => status)).toEqual(Array(7).fill(304));
});

test('a merge of a branch that moved meanwhile is a conflict', async () => {
  await forge.createPull(wish);
  const merged = await forge.merge(
    { repository: 'acme/shop', number: 101 },
    { method: 'squash', commit: 'f'.repeat(40) },
  );
  expect(merged).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(server.model.pulls[0]?.merged).toBe(false);
});

test('a renamed repository is found under its new name, for reading and writing', async () => {
  server.model.formerName = 'acme/store';
  expect(await forge.repository('acme/store')).toMatchObject({ ok: true, value: { name: 'acme/shop' } });
  expect(await forge.createPull({ ...wish, repository: 'acme/store' })).toMatchObject({ ok: true });
});

test('a fork names the repository that it came from', async () => {
  Object.assign(server.model, { name: 'me/shop', parent: 'acme/shop' });
  expect(await forge.repository('me/shop')).toMatchObject({
    ok: true,
    value: { parent: { name: 'acme/shop' } },
  });
  expect(await forge.createPull({ ...wish, headRepository: 'me/shop' })).toMatchObject({ ok: true });
  expect(server.requests.at(-1)?.body).toMatchObject({ head: 'me:muster/7-x' });
});

const faults: [string, number, Record<string, string>, string, string][] = [
  [
    'a used-up rate limit',
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 600) },
    'forge.limit',
    'for 10 min',
  ],
  ['a secondary rate limit', 429, { 'retry-after': '60' }, 'forge.limit', 'for 1 min'],
  ['a missing permission', 403, {}, 'forge.refused', 'refuses this to the token'],
  ['a missing repository', 404, {}, 'not_found', 'hides it from the token'],
  ['a conflict', 409, {}, 'conflict', 'refuses this now'],
  ['an invalid request', 422, {}, 'forge.refused', 'No commits between main and x'],
  ['a broken server', 503, {}, 'forge.failed', 'has a problem (503)'],
];
for (const [what, status, headers, code, words] of faults)
  test(`${what} is one clear error (${status})`, async () => {
    server.fail('POST', /pulls/, {
      status,
      headers,
      body: { message: 'Said', errors: [{ message: 'No commits between main and x' }] },
    });
    const made = await forge.createPull(wish);
    expect(made).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(words) } });
    expect(held).toEqual(code === 'forge.limit' ? [words.includes('10') ? 600_000 : 60_000] : []);
    expect(server.writes()).toHaveLength(1);
  });

test('a refused token, a server that is away and a foreign answer are told apart', async () => {
  const place = { repository: 'acme/shop', number: 7 };
  expect(await connect('other').issue(place)).toMatchObject({ ok: false, error: { code: 'forge.login' } });
  expect(await connect(TOKEN, 'http://127.0.0.1:9').issue(place)).toMatchObject({
    ok: false,
    error: { code: 'forge.unreachable' },
  });
  server.fail('GET', /issues/, { status: 200, body: { hello: 'portal' } });
  expect(await forge.issue(place)).toMatchObject({ ok: false, error: { code: 'forge.failed' } });
});

import { ok } from '@contract/result';
import type { ShownResult } from '@contract/run/results/results';
import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { PULL_POLL_MS } from '../contract/limits';
import { itemsOf } from '../contract/verdict';
import { Forges } from './forges';
import { PullPoller } from './poller';
import { Pulls } from './pulls';
import { ForgeRecords } from './records';
import { ScriptedGithub, TOKEN } from './testing/scripted-github';

const COMMIT = 'a'.repeat(40);

let server: ScriptedGithub;
let stored: Map<string, unknown>;
let now: number;
/** The programs that were started, and whether the token comes from one. */
let programs: string[];
let byGh: boolean;
let keys = 0;
/** What a read of the remotes waits for. */
let paused = async () => {};

beforeEach(async () => {
  server = await ScriptedGithub.start();
  onTestFinished(() => server.close());
  stored = new Map();
  now = 1_000;
  programs = [];
  byGh = false;
  paused = async () => {};
});

/** A core over the stored records, as after each start. */
function core() {
  const store = {
    setting: (key: string) => stored.get(key) ?? null,
    setSetting: (key: string, value: unknown) => void stored.set(key, structuredClone(value)),
  };
  const records = new ForgeRecords(store, () => undefined);
  const host = { host: server.host, kind: 'github' as const, api: server.api, secret: 'S' };
  const git = async (_cwd: string, ...args: string[]) => {
    programs.push(`git ${args[0] ?? ''}`);
    if (args[0] === 'remote') await paused();
    return ok(args[0] === 'remote' ? `origin\thttp://${server.host}/acme/shop.git (fetch)` : '');
  };
  const login = {
    secret: () => (byGh ? null : TOKEN),
    program: async (name: string) => {
      programs.push(name);
      return TOKEN;
    },
  };
  const forges = new Forges({ ...login, hosts: () => [host], git, now: () => now });
  const state = double<RunState>({
    uid: '01RUNUID',
    name: 'The till',
    status: 'finished',
    projectPath: '/shop',
  });
  const result: ShownResult = {
    ...{
      workspaceId: null,
      path: '/work',
      branch: 'muster/x',
      commit: COMMIT,
      base: null,
      files: 2,
      uncommitted: 0,
    },
    ...{
      includedIn: null,
      note: null,
      unread: null,
      unsettled: null,
      stepId: null,
      agent: null,
      address: null,
    },
    ...{ state: 'to_apply', applied: null },
  };
  const pulls = new Pulls({
    ...{ records, forges, git },
    state: () => state,
    results: async () => ok([result]),
    projectName: () => 'shop',
    answer: () => 'Done.',
    now: () => now,
    newKey: () => {
      keys += 1;
      return `01KEY${keys}`;
    },
  });
  return { records, forges, pulls };
}

async function opened() {
  const made = core();
  const preview = await made.pulls.preview(1, {});
  if (!preview.ok) throw new Error(preview.error.message);
  const { title, body, draft, base, reviewers, labels, shown } = preview.value;
  const open = () => made.pulls.open(1, { title, body, draft, base, reviewers, labels }, shown);
  return { ...made, open };
}

const posts = () => server.writes().filter((one) => one === 'POST /repos/acme/shop/pulls');

test('a core that was killed while it opened a pull request finishes it once at its next start', async () => {
  const { open, records } = await opened();
  server.fail('POST', /pulls$/, { loseAnswer: true });
  expect(await open()).toMatchObject({ ok: false, error: { code: 'forge.unreachable' } });
  // A killed core stored no error.
  records.change(1, () => ({ error: null }));
  const next = core();
  await next.pulls.resume();
  expect(next.records.of(1)).toMatchObject({ number: 101, state: 'open', asked: null });
  await core().pulls.resume();
  expect(posts()).toHaveLength(1);
});

test('what was not shown is not sent', async () => {
  const { pulls } = await opened();
  const text = { title: 'Other', body: '', draft: false, base: 'main', reviewers: [], labels: [] };
  expect(await pulls.open(1, text, 'of something else')).toMatchObject({
    ok: false,
    error: { code: 'conflict' },
  });
  expect(server.writes()).toEqual([]);
});

test('a pull request that was closed elsewhere is reported, and is not merged', async () => {
  const { open, pulls, records } = await opened();
  await open();
  Object.assign(server.model.pulls[0] ?? {}, { state: 'closed' });
  const merged = await pulls.merge(1, { method: undefined, commit: COMMIT });
  expect(merged).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: 'The pull request is closed.' },
  });
  const record = records.of(1);
  expect(record === null ? [] : itemsOf(record)).toMatchObject([{ kind: 'closed' }]);
});

test('each pull request after a closed one has a branch of its own', async () => {
  const { pulls, records } = core();
  const branches: string[] = [];
  for (const _ of [1, 2, 3, 4]) {
    const preview = await pulls.preview(1, {});
    if (!preview.ok) throw new Error(preview.error.message);
    const { title, body, draft, base, reviewers, labels, shown, head } = preview.value;
    branches.push(head.branch);
    await pulls.open(1, { title, body, draft, base, reviewers, labels }, shown);
    records.change(1, () => ({ state: 'closed' }));
  }
  const [first = ''] = branches;
  expect(branches).toEqual([first, `${first}-2`, `${first}-3`, `${first}-4`]);
});

test('a merge whose answer was lost is not made again', async () => {
  const { open, pulls } = await opened();
  await open();
  server.fail('PUT', /merge$/, { loseAnswer: true });
  expect(await pulls.merge(1, { method: 'squash', commit: COMMIT })).toMatchObject({ ok: false });
  expect(await pulls.merge(1, { method: 'squash', commit: COMMIT })).toMatchObject({
    ok: true,
    value: { state: 'merged' },
  });
  expect(server.writes().filter((one) => one.endsWith('/merge'))).toHaveLength(1);
});

test('nothing is polled while no pull request is open, and a host that fails is left alone for longer', async () => {
  const { open, pulls, records, forges } = await opened();
  let due: { at: number; run: () => void } | null = null;
  const clock = {
    now: () => now,
    at: (at: number, run: () => void) => {
      due = { at, run };
      return () => undefined;
    },
  };
  let reads = 0;
  const read = async () => {
    reads += 1;
  };
  const poller = new PullPoller({ records, pulls, forges, clock, read });
  poller.look();
  expect(due).toBeNull();
  await open();
  poller.look();
  const next = async () => {
    const { at, run } = due ?? { at: 0, run: () => undefined };
    due = null;
    now = at;
    run();
    await expect.poll(() => due).not.toBeNull();
  };
  await next();
  expect(reads).toBe(1);
  server.fail('GET', /pulls\/101$/, { status: 502 });
  await next();
  const before = server.requests.length;
  await next();
  expect([reads, server.requests.length]).toEqual([1, before]);
  now += PULL_POLL_MS * 2;
  await next();
  expect(reads).toBe(2);
});

test('a poll starts neither git nor gh, and a refused login is read again', async () => {
  byGh = true;
  const { open, pulls } = await opened();
  await open();
  programs.length = 0;
  for (const _ of [1, 2, 3]) expect(await pulls.refresh(1)).toMatchObject({ ok: true });
  expect(programs).toEqual([]);
  server.fail('GET', /pulls\/101$/, { status: 401 });
  expect(await pulls.refresh(1)).toMatchObject({ ok: false, error: { code: 'forge.login' } });
  expect(await pulls.refresh(1)).toMatchObject({ ok: true });
  expect(programs).toEqual(['gh']);
});

test('a second window that opens the same pull request meanwhile makes no other one', async () => {
  const { open, records } = await opened();
  // The second one is held up after it has looked at the records.
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let reads = 0;
  paused = async () => {
    reads += 1;
    if (reads === 2) await held;
  };
  const second = open();
  await expect.poll(() => reads).toBe(2);
  expect(await open()).toMatchObject({ ok: true, value: { number: 101 } });
  letGo();
  expect(await second).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(posts()).toHaveLength(1);
  expect(records.of(1)).toMatchObject({ number: 101, state: 'open', asked: null, error: null });
});

import { appError } from '@contract/errors';
import { coreProcedures } from '@contract/ipc';
import type { RouteRequest } from '@main/api/http/route';
import { FakeCore } from '@main/api/testing/fake-core';
import { runRow } from '@main/api/testing/run-row';
import { expect, test } from 'vitest';
import { loopRoutes } from './routes';

const row = runRow({ id: 12, name: 'loop' });
const refused = appError('conflict', 'run 3 works on this branch');
const answers = {
  'project.add': ({ path }: { path: string }) => ({
    id: 5,
    path,
    name: 'p',
    addedAt: 1,
    trouble: null,
    isNew: path === '/new',
  }),
  'project.list': () => [{ id: 9, path: '/shop', name: 'shop', addedAt: 1, trouble: null }],
  'project.remove': () => ({}),
  'loop.start': ({ worker }: { worker: string }) =>
    worker === 'busy' ? { ok: false, error: refused } : { runId: 12 },
  'loop.watch': () => ({ runId: 13 }),
  'loop.list': () => ({ rows: [], more: false }),
  'loop.pause': () => ({}),
  'run.find': ({ name }: { name: string }) =>
    name === '12' ? row : { ok: false, error: appError('not_found', `there is no run ${name}`) },
};

async function call(method: string, path: string, more: Partial<RouteRequest> = {}) {
  const core = new FakeCore(answers);
  const route = loopRoutes.find((one) => one.method === method && one.path === path);
  if (route === undefined) throw new Error(`no route ${method} ${path}`);
  const asked: RouteRequest = { core, words: {}, query: {}, body: {}, ...more };
  return { answer: await route.handle(asked), calls: core.calls };
}

test('POST /loops starts a loop in a folder that is a project from then on', async () => {
  const body = { project: '/p', worker: 'codex', iterations: 3, verify: 'npm test', retryProfile: 'claude' };
  const { answer, calls } = await call('POST', '/loops', { body });
  expect(answer).toEqual({ ok: true, value: { status: 201, body: { runId: 12 } } });
  expect(calls.map(({ name }) => name)).toEqual(['project.add', 'loop.start']);
  expect(calls[1]?.input).toMatchObject({
    projectId: 5,
    worker: 'codex',
    iterations: 3,
    verify: 'npm test',
    startedBy: 'http api',
    folder: '.',
    branch: null,
    workspace: 'worktree',
    retryProfile: 'claude',
    retryModel: null,
  });
});

test('POST /loops takes the number of a project, and gives the error of a refused start', async () => {
  const { answer, calls } = await call('POST', '/loops', { body: { projectId: 4, worker: 'busy' } });
  expect(answer).toMatchObject({ ok: false });
  expect(JSON.stringify(answer)).toContain(refused.message);
  expect(calls.map(({ name }) => name)).toEqual(['loop.start']);
});

test.each([
  ['/loops', 'a busy branch', { worker: 'busy' }],
  ['/loops', 'a wrong body', { iterations: 0 }],
  ['/loops/watch', 'a wrong body', { pid: 0 }],
])(
  'a refused POST %s with %s leaves no project behind, and keeps one that was there',
  async (path, _, more) => {
    const remove = { name: 'project.remove', input: { projectId: 5 } };
    const gone = await call('POST', path, { body: { project: '/new', worker: 'codex', ...more } });
    expect([gone.answer.ok, gone.calls.at(-1)]).toEqual([false, remove]);
    const kept = await call('POST', path, { body: { project: '/p', worker: 'codex', ...more } });
    expect(kept.answer.ok).toBe(false);
    expect(kept.calls).not.toContainEqual(remove);
  },
);

test('POST /loops takes the name of a known project', async () => {
  const { answer, calls } = await call('POST', '/loops', { body: { project: 'shop', worker: 'codex' } });
  expect(answer.ok).toBe(true);
  expect(calls[1]).toMatchObject({ name: 'loop.start', input: { projectId: 9 } });
});

test('POST /loops/watch watches, and says that it was requested over HTTP', async () => {
  const { answer, calls } = await call('POST', '/loops/watch', { body: { projectId: 4, pid: 77 } });
  expect(answer).toEqual({ ok: true, value: { status: 201, body: { runId: 13 } } });
  expect(calls[0]?.input).toMatchObject({ projectId: 4, folder: '.', pid: 77, startedBy: 'http api' });
});

test('GET /loops lists, with a limit between 1 and 1000', async () => {
  const { answer, calls } = await call('GET', '/loops', { query: { limit: '7' } });
  expect(answer).toEqual({ ok: true, value: { body: { rows: [], more: false } } });
  expect(calls[0]).toEqual({ name: 'loop.list', input: { limit: 7 } });
  for (const limit of ['0', '1001', '1.5', 'NaN', '']) {
    const wrong = await call('GET', '/loops', { query: { limit } });
    expect([limit, wrong.answer.ok, wrong.calls]).toEqual([limit, false, []]);
  }
});

test('POST /runs/:run/loop/pause pauses the loop of the run', async () => {
  const { answer, calls } = await call('POST', '/runs/:run/loop/pause', { words: { run: '12' } });
  expect(answer).toEqual({ ok: true, value: { status: 202, body: { runId: 12 } } });
  expect(calls[1]).toEqual({
    name: 'loop.pause',
    input: { runId: 12, activationId: 1, by: 'http api' },
  });
  const none = await call('POST', '/runs/:run/loop/pause', { words: { run: '99' } });
  expect(none.answer.ok).toBe(false);
  expect(none.calls.map(({ name }) => name)).toEqual(['run.find']);
});

const STRANGE = [
  ...[0, -1, 0.5, 2 ** 53, 1e300, Number.NaN, Number.POSITIVE_INFINITY, '', ' ', 'constructor', '__proto__'],
  ...['toString', 'x'.repeat(5_000), null, true, [], {}, JSON.parse('{"__proto__":1}')],
];
const fields = Object.keys(coreProcedures['loop.start'].input.unwrap().shape);

test.each(fields)(
  'a start with any value in %s is refused or its input is accepted by the core',
  async (field) => {
    for (const value of STRANGE) {
      const body = { projectId: 4, worker: 'codex', [field]: value };
      const { answer, calls } = await call('POST', '/loops', { body });
      const started = calls.find(({ name }) => name === 'loop.start');
      expect(answer.ok).toBe(started !== undefined);
      if (started) expect(coreProcedures['loop.start'].input.safeParse(started.input).success).toBe(true);
    }
  },
);

import { gateRoutes } from '@areas/gates/node/routes';
import { runRoutes } from '@areas/runs/node/routes/run-routes';
import { appError } from '@contract/errors';
import { loopRoutes } from '@features/loop/node/routes';
import type { RouteRequest } from '@main/api/http/route';
import { FakeCore } from '@main/api/testing/fake-core';
import { runRow } from '@main/api/testing/run-row';
import { expect, test } from 'vitest';
import { sessionRoutes } from './session-routes';

const row = runRow({ id: 12, name: 'loop' });

const gate = {
  runId: 12,
  runName: 'loop',
  gateId: 1,
  kind: 'approval',
  status: 'open',
  stepId: null,
  stepTitle: null,
  agent: null,
  sessionId: null,
  title: 'Go on?',
  message: '',
  evidence: null,
  request: null,
  options: [],
  why: null,
  openedAt: 1,
  closedAt: null,
  answer: null,
  by: null,
  snoozedUntil: 99,
};

const page = { from: 0, to: 1, size: 1, text: 'x' };

const core = () =>
  new FakeCore({
    'run.find': ({ name }: { name: string }) =>
      name === '12' ? row : { ok: false, error: appError('not_found', `there is no run ${name}`) },
    'run.output': () => ({ ...page, step: 'a', port: 'notes', activationId: 1, isText: true }),
    'session.list': () => [],
    'session.prompt': () => ({ promptId: 3 }),
    'session.withdrawPrompt': () => ({}),
    'session.cancelTurn': () => ({}),
    'session.park': () => ({}),
    'loop.log': () => ({ ...page, path: '/x', overwritten: false }),
    'loop.nameRunner': () => ({}),
    'gate.snooze': () => gate,
    'gate.resolveAlike': () => ({ answered: [], refused: [] }),
  });

async function call(method: string, path: string, more: Partial<RouteRequest>) {
  const routes = [...sessionRoutes, ...loopRoutes, ...gateRoutes, ...runRoutes];
  const route = routes.find((one) => one.method === method && one.path === path);
  if (route === undefined) throw new Error(`no route ${method} ${path}`);
  const fake = core();
  const answer = await route.handle({ core: fake, words: {}, query: {}, body: {}, ...more } as RouteRequest);
  return { answer, done: fake.calls.filter(({ name }) => name !== 'run.find') };
}

const session = { run: '12', session: '2' };
const key = 'k'.repeat(16);

test.each([
  ['GET', '/sessions', { query: { limit: '5' } }, 'session.list', { limit: 5 }],
  [
    ...([
      'POST',
      '/runs/:run/sessions/:session/prompt',
      { words: session, body: { text: ' Go on ' } },
    ] as const),
    ...(['session.prompt', { runId: 12, sessionId: 2, text: 'Go on', attachments: [] }] as const),
  ],
  [
    ...([
      'POST',
      '/runs/:run/sessions/:session/interrupt',
      { words: session },
      'session.cancelTurn',
    ] as const),
    { runId: 12, sessionId: 2 },
  ],
  [
    ...(['POST', '/runs/:run/sessions/:session/park', { words: session }, 'session.park'] as const),
    { runId: 12, sessionId: 2 },
  ],
  [
    ...(['POST', '/runs/:run/prompts/:prompt/withdraw', { words: { run: '12', prompt: '3' } }] as const),
    ...(['session.withdrawPrompt', { runId: 12, promptId: 3 }] as const),
  ],
  [
    ...([
      'GET',
      '/runs/:run/loop/log',
      { words: { run: '12' }, query: { attempt: '2', from: '9' } },
    ] as const),
    ...(['loop.log', { runId: 12, activationId: 1, attemptId: 2, which: 'message', from: 9 }] as const),
  ],
  [
    ...(['POST', '/runs/:run/loop/runner', { words: { run: '12' }, body: { pid: 4711 } }] as const),
    ...(['loop.nameRunner', { runId: 12, activationId: 1, pid: 4711 }] as const),
  ],
  [
    ...([
      'POST',
      '/gates/:run/:gate/snooze',
      { words: { run: '12', gate: '1' }, body: { until: 99 } },
    ] as const),
    ...(['gate.snooze', { runId: 12, gateId: 1, until: 99 }] as const),
  ],
  [
    ...([
      'POST',
      '/gates/alike',
      { body: { gates: [{ runId: 12, gateId: 1 }], answer: { option: 'a' } } },
    ] as const),
    ...(['gate.resolveAlike', { gates: [{ runId: 12, gateId: 1 }], answer: { option: 'a' } }] as const),
  ],
  [
    ...(['GET', '/runs/:run/output', { words: { run: '12' }, query: { port: 'notes', from: '7' } }] as const),
    ...(['run.output', { runId: 12, port: 'notes', from: 7 }] as const),
  ],
] as const)('the request %s %s does it once', async (...[method, path, given, name, wish]) => {
  const { answer, done } = await call(method, path, given as Partial<RouteRequest>);
  expect(answer.ok).toBe(true);
  expect(done).toEqual([{ name, input: expect.objectContaining(wish) }]);
});

test.each([
  ['/runs/:run/sessions/:session/prompt', { words: session, body: { text: ' ' } }],
  ['/runs/:run/sessions/:session/prompt', { words: session, body: { text: 'x', opinion: key } }],
  [
    '/runs/:run/sessions/:session/prompt',
    { words: { ...session, session: '__proto__' }, body: { text: 'x' } },
  ],
  ['/runs/:run/sessions/:session/park', { words: { ...session, run: '99' } }],
  ['/runs/:run/loop/runner', { words: { run: '12' }, body: { pid: 0 } }],
  ['/gates/:run/:gate/snooze', { words: { run: '12', gate: '1' }, body: { until: 'soon' } }],
  ['/gates/alike', { body: { gates: [], answer: { option: 'a' } } }],
])('POST %s with %j is refused and does nothing', async (path, given) => {
  const { answer, done } = await call('POST', path, given as Partial<RouteRequest>);
  expect([answer.ok, done]).toEqual([false, []]);
});

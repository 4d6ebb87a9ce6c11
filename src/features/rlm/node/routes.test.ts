import { appError } from '@contract/errors';
import type { RouteRequest } from '@main/api/http/route';
import { FakeCore } from '@main/api/testing/fake-core';
import { runRow } from '@main/api/testing/run-row';
import { expect, test } from 'vitest';
import { QuestionHarness, repl } from '../core/testing/question';
import { rlmRoutes } from './routes';

const row = runRow({ name: 'question' });

async function call(name: string, more: Partial<RouteRequest>, answers: object = {}) {
  const [method, path] = name.split(' ');
  const core = new FakeCore({
    'run.find': ({ name: run }: { name: string }) =>
      run === '1' ? row : { ok: false, error: appError('not_found', 'there is no such run') },
    ...answers,
  });
  const route = rlmRoutes.find((one) => one.method === method && one.path === path);
  if (route === undefined) throw new Error(`no route ${name}`);
  const asked: RouteRequest = { core, words: {}, query: {}, body: {}, ...more };
  return { answer: await route.handle(asked), calls: core.calls };
}

const question = { projectId: 4, question: 'Why {so}?', documents: ['a.txt'], root: { profile: 'big' } };

test('POST /questions asks a question, also one with braces, and gives its run', async () => {
  const answers = { 'rlm.start': () => ({ runId: 7 }) };
  const { answer, calls } = await call('POST /questions', { body: question }, answers);
  expect(answer).toEqual({ ok: true, value: { status: 201, body: { runId: 7 } } });
  expect(calls.at(-1)?.input).toMatchObject({ ...question, startedBy: 'http api', sub: null, verify: null });
});

test.each([
  [{ ...question, question: ' ' }, 'question'],
  [{ ...question, documents: [] }, 'documents'],
  [{ ...question, root: {} }, 'root'],
])('the route POST /questions names the fault in %j', async (body, field) => {
  const { answer, calls } = await call('POST /questions', { body });
  expect(answer.ok).toBe(false);
  expect(JSON.stringify(answer)).toContain(field);
  expect(calls.map(({ name }) => name)).toEqual([]);
});

test('an error of the start reaches the caller as it is', async () => {
  const error = appError('validation.failed', 'there is no agent profile nobody');
  const answers = { 'rlm.start': () => ({ ok: false, error }) };
  const { answer } = await call('POST /questions', { body: question }, answers);
  expect(JSON.stringify(answer)).toContain('there is no agent profile nobody');
});

test('the trace is paged, and each page knows its iterations', async () => {
  const harness = new QuestionHarness([repl('ask parts one'), 'FINAL_VAR(parts)']);
  await harness.ask();
  await harness.rested();
  const events = harness
    .events()
    .map((event, index) => ({ id: index, runId: 1, seq: index + 1, at: 1, event }));
  const answers = {
    'run.events': ({ afterSeq }: { afterSeq: number }) => events.filter(({ seq }) => seq > afterSeq),
    'rlm.text': ({ path }: { path: string }) => ({ text: harness.texts.files.get(path) ?? '' }),
  };
  const pages: { step: string; iteration?: number }[][] = [];
  for (let after: number | null = 0; after !== null; ) {
    const query = { after: String(after), limit: '9' };
    const { answer } = await call('GET /runs/:run/question/trace', { words: { run: '1' }, query }, answers);
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    const body = answer.ok ? (answer.value.body as { steps: never[]; next: number | null }) : null;
    pages.push(body?.steps ?? []);
    after = body?.next ?? null;
  }
  expect(pages.length).toBeGreaterThan(2);
  const steps = pages.flat();
  expect(steps.map(({ step }) => step)).toEqual([
    ...['header', 'documents', 'sandbox', 'opening', 'prompt', 'reply', 'code', 'subcalls_asked'],
    ...['subcall_answered', 'output', 'prompt', 'reply', 'end', 'summary'],
  ]);
  expect(steps.find(({ step }) => step === 'subcall_answered')).toMatchObject({ iteration: 1 });
});

test('a missing run is reported, and not asked for anything', async () => {
  const { answer, calls } = await call('POST /runs/:run/question/interrupt', { words: { run: '9' } });
  expect(answer.ok).toBe(false);
  expect(calls.map(({ name }) => name)).toEqual(['run.find']);
});

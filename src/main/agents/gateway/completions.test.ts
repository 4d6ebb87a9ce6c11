import { type AgentProfileOf, agentProfileSchema } from '@areas/agents/contract/profile';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../../../e2e/fixtures/model-server';
import { Cancel } from '../../core/ports/cancel';
import { createCompletions } from './completions';
import { hurriedClock } from './testing/hurried-clock';

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const ask = (
  profile: Partial<AgentProfileOf<'gateway'>> = {},
  { prompt = 'Why?', cancel = new Cancel() } = {},
) =>
  createCompletions({ secret: () => null, clock: hurriedClock() }).complete({
    profile: agentProfileSchema.parse({
      kind: 'gateway',
      id: 'sub',
      name: 'Sub',
      api: 'openai',
      base_url: server.url,
      model: 'scripted-small',
      ...profile,
    }),
    model: null,
    prompt,
    cancel,
  });

const always = (answer: Parameters<ModelServer['script']>[0]['answer'], times?: number): void =>
  server.script({ when: () => true, answer, ...(times === undefined ? {} : { times }) });

const BUSY = { status: 429, message: 'Too many requests' };

describe('a model that answers 429', () => {
  test.each(['openai', 'anthropic'] as const)(
    'a model that answers 429 is asked again until it answers (%s)',
    async (api) => {
      always(BUSY, 2);
      always({ text: 'because', usage: { input: 20, output: 5 } });
      expect(await ask({ api })).toEqual({
        ok: true,
        text: 'because',
        model: 'scripted-small',
        usage: { input_tokens: 20, output_tokens: 5, total_tokens: 25, cost_usd: null },
      });
      expect(server.requests).toHaveLength(3);
    },
  );

  test('a model that answers 429 is given up after four tries, with its own words', async () => {
    always(BUSY);
    expect(await ask()).toMatchObject({ ok: false, text: expect.stringContaining('Too many requests') });
    expect(server.requests).toHaveLength(4);
  });

  test('a model that answers 429 is not waited for where its limit ends in an hour, or where the account is empty', async () => {
    always({ ...BUSY, headers: { 'retry-after': '3600' } }, 1);
    always({ status: 402, message: 'Insufficient balance' }, 1);
    expect(await ask()).toMatchObject({ ok: false });
    expect(await ask()).toMatchObject({ ok: false, text: expect.stringContaining('Insufficient balance') });
    expect(server.requests).toHaveLength(2);
  });

  test('a model that answers 429 is not waited for by a call that was cancelled', async () => {
    const cancel = new Cancel();
    server.script({
      when: () => true,
      answer: () => {
        cancel.cancel();
        return BUSY;
      },
    });
    expect(await ask({}, { cancel })).toMatchObject({ ok: false });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a model that hangs', () => {
  test('a model that hangs ends its call after the silence that its profile allows', async () => {
    always({ text: 'half an answer', midway: 'hang' });
    expect(await ask({ silence_minutes: 0.01 })).toMatchObject({
      ok: false,
      text: 'The model did not respond for too long.',
    });
    expect(server.requests).toHaveLength(1);
  });

  test('a model that hangs ends its call when that is cancelled', async () => {
    const cancel = new Cancel();
    server.script({
      when: () => true,
      answer: () => {
        setImmediate(() => cancel.cancel());
        return { text: 'never', midway: 'hang' };
      },
    });
    expect(await ask({}, { cancel })).toMatchObject({ ok: false, text: 'The sub-call was interrupted.' });
  });
});

test('an answer of five megabytes comes whole', async () => {
  // Scanning the whole answer at every word took hours.
  const text = `é😀${'x'.repeat(400)} `.repeat(12_500);
  always({ text });
  const answer = await ask();
  expect([answer.ok, answer.text.length, answer.text === text]).toEqual([true, text.length, true]);
});

test('a stream that breaks off is asked for again', async () => {
  always({ text: 'half an answer', midway: 'break' }, 1);
  always({ text: 'a whole answer' });
  expect(await ask()).toMatchObject({ ok: true, text: 'a whole answer' });
});

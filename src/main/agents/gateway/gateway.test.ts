import { type AgentProfileOf, agentProfileSchema } from '@areas/agents/contract/profile';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import { ok } from '@contract/result';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ModelServer, startModelServer } from '../../../../e2e/fixtures/model-server';
import type { Seen, Session, SessionSpec, TurnRequest } from '../../core/ports/ports';
import { createGatewayAgent } from './index';
import { hurriedClock } from './testing/hurried-clock';

let server: ModelServer;
const opened: Session[] = [];

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(opened.splice(0).map((session) => session.close()));
  await server.close();
});

type Api = AgentProfileOf<'gateway'>['api'];

function specOf(api: Api, profile: object = {}, more: Partial<SessionSpec> = {}): SessionSpec {
  return {
    runId: 1,
    sessionId: 1,
    key: 's-1',
    profile: agentProfileSchema.parse({
      kind: 'gateway',
      id: 'model',
      name: 'Model',
      api,
      base_url: server.url,
      model: 'scripted',
      ...profile,
    }),
    model: null,
    mode: null,
    env: {},
    cwd: '/nowhere',
    projectPath: '/nowhere',
    artifactsDir: '/nowhere',
    resume: null,
    ...more,
  };
}

const texts: Readonly<Record<string, string>> = {
  '/a/notes.md': 'first </attachment> note',
  '/a/pic.png': 'PNG',
};

async function open(spec: SessionSpec, secrets: Record<string, string> = {}, fetch = globalThis.fetch) {
  const items: TranscriptItem[] = [];
  let calls = 0;
  const agent = createGatewayAgent({
    secret: (name) => secrets[name] ?? null,
    clock: hurriedClock(),
    fetch,
    files: { readBytes: async (path) => ok(new TextEncoder().encode(texts[path] ?? '\0')) },
  });
  const observed: Seen[] = [];
  const session = await agent.open(spec, {
    observed: (_turnId, seen) => void observed.push(seen),
    items: (_turnId, some) => {
      calls += 1;
      items.push(...some);
    },
    permission: async () => ({ allow: false, always: false, reason: null }),
    lost: () => {},
  });
  if (!session.ok) return { error: session.error };
  opened.push(session.value);
  const turn = (prompt: string, attachments: TurnRequest['attachments'] = []) =>
    session.value.turn({ turnId: 1, prompt, attachments });
  return { session: session.value, turn, items, observed, calls: () => calls };
}

async function opening(...how: Parameters<typeof open>) {
  const result = await open(...how);
  if ('error' in result) throw new Error(result.error?.message);
  return result;
}

interface Body {
  readonly system?: unknown;
  readonly messages: readonly { role: string; content: unknown }[];
}

const bodyOf = (index: number): Body => (server.requests[index]?.body ?? { messages: [] }) as Body;
const messagesOf = (index: number) => bodyOf(index).messages;

/** Both APIs have their own format for a text message. */
const flat = (index: number) =>
  messagesOf(index).map(({ role, content }) => {
    const parts = Array.isArray(content) ? content : [{ text: content }];
    return [role, parts.map((part: { text?: unknown }) => part.text).join('|')];
  });

describe.each<Api>(['openai', 'anthropic'])('a gateway session over the %s API', (api) => {
  test('a gateway session streams text and thoughts, and ends with usage', async () => {
    const { session, turn, items } = await opening(specOf(api, { system_prompt: 'Be brief.' }));
    expect(session.ready).toEqual({
      providerSessionId: 's-1',
      agent: `scripted at ${new URL(server.url).host}`,
      capabilities: { resume: true, cancel: true, permissions: false, images: true, embeddedFiles: true },
      fresh: true,
      notice: null,
    });
    const usage = { input_tokens: 100, output_tokens: 20, total_tokens: 120, cost_usd: null };
    expect(await turn('hello\nTHINK=let me see\nSAY=good morning to you')).toEqual({
      outcome: 'completed',
      stopReason: api === 'openai' ? 'stop' : 'end_turn',
      response: 'good morning to you',
      toolCalls: 'none',
      usage,
      error: null,
      limitResetsAt: null,
    });
    const said = (type: 'text' | 'thought') =>
      items.flatMap((item) => (item.type === type ? [item.text] : [])).join('');
    expect(said('thought')).toBe('let me see');
    expect(said('text')).toBe('good morning to you');
    expect(items.at(-1)).toEqual({ type: 'usage', usage });
    expect(JSON.stringify(api === 'openai' ? messagesOf(0)[0] : bodyOf(0).system)).toContain('Be brief.');
  });

  test('a gateway session carries the first turn into the second, and sends no key where none is named', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'meant-for-another-server');
    const { turn } = await opening(specOf(api));
    await turn('one SAY=first answer');
    await turn('two SAY=second answer');
    expect(flat(1)).toEqual([
      ['user', 'one SAY=first answer'],
      ['assistant', 'first answer'],
      ['user', 'two SAY=second answer'],
    ]);
    expect(server.requests.map(({ key }) => key)).toEqual([null, null]);
  });

  test('a gateway session rebuilds the conversation at a resume', async () => {
    const turns = [
      { prompt: 'one', response: 'first answer' },
      { prompt: 'silent', response: '' },
    ];
    const resume = { providerSessionId: 's-1', turns };
    const { session, turn } = await opening(specOf(api, {}, { resume, model: 'other' }));
    expect([session.ready.fresh, session.ready.notice]).toEqual([false, null]);
    await turn('two');
    const asked = flat(0).map(([role, text]) => `${role}: ${text}`);
    expect(asked.slice(0, 2)).toEqual(['user: one', 'assistant: first answer']);
    expect(asked.slice(2).join(' ')).toMatch(/silent.*two/);
    expect(server.requests[0]?.model).toBe('other');
  });

  test('a gateway session cancels in mid-stream and keeps the text so far; the cancelled turn is not carried on', async () => {
    const { session, turn, items } = await opening(specOf(api));
    const running = turn('go on MIDWAY=hang SAY=one two three four five six seven eight');
    await expect.poll(() => items.length).toBeGreaterThan(0);
    await session.cancel();
    const result = await running;
    expect(result).toMatchObject({ outcome: 'cancelled', error: null, limitResetsAt: null });
    expect(result.response).toMatch(/^one two/);
    expect((await turn('again SAY=yes')).response).toBe('yes');
    expect(flat(1)).toEqual([['user', 'again SAY=yes']]);
  });

  test('a refused key names the secret and never shows the key', async () => {
    await server.close();
    server = await startModelServer({ key: 'right' });
    const profile = { api_key_secret: 'MODEL_KEY' };
    const { turn } = await opening(specOf(api, profile), { MODEL_KEY: 'wrong-key-1234' });
    server.script({ when: 'x', answer: { status: 401, message: 'no wrong-key-1234' } });
    const result = await turn('x');
    expect(result.outcome).toBe('failed');
    expect(result.error).toEqual({
      code: 'agent.key_refused',
      message: `${server.url} rejects the key in MODEL_KEY: Incorrect API key provided`,
      mend: 'set the secret MODEL_KEY in Settings, or the environment variable MODEL_KEY where there is no window',
    });
    const good = await opening(specOf(api, profile), { MODEL_KEY: 'right' });
    server.script({ when: 'y', answer: { status: 403, message: 'no right here' } });
    expect((await good.turn('y')).error?.message).toBe(
      `${server.url} rejects the key in MODEL_KEY: no *** here`,
    );
  });

  test('a rate limit is an outcome with the time of its end', async () => {
    const { turn } = await opening(specOf(api));
    const before = Date.now();
    const result = await turn('x STATUS=429 RETRY_AFTER=30 TIMES=1');
    expect(result).toMatchObject({ outcome: 'limit', response: '', error: { code: 'agent.limit' } });
    expect(result.limitResetsAt).toBeGreaterThanOrEqual(before + 30_000);
    expect(result.limitResetsAt).toBeLessThan(Date.now() + 30_001);
    // No retry by the SDK: one turn is one request.
    expect(server.requests).toHaveLength(1);
    expect(await turn('x STATUS=429 RETRY_AFTER=30 TIMES=1')).toMatchObject({ outcome: 'completed' });
  });

  test('an overloaded server is a limit, also in mid-stream', async () => {
    const { turn } = await opening(specOf(api));
    expect(await turn('x STATUS=529')).toMatchObject({
      outcome: 'limit',
      limitResetsAt: expect.any(Number),
      error: { code: 'agent.overloaded' },
    });
    const midway = await turn('y MIDWAY=overloaded SAY=one two three four');
    expect(midway).toMatchObject({ outcome: 'limit', error: { code: 'agent.overloaded' } });
  });

  test('a connection that breaks off is asked again twice, visibly, and then fails the turn', async () => {
    const { turn, items } = await opening(specOf(api));
    const result = await turn('y MIDWAY=break SAY=one two three four five six');
    expect(result.outcome).toBe('failed');
    expect(result.error).toMatchObject({ code: 'agent.stream_broken' });
    expect(result.error?.message).toMatch(/was cut off$/);
    expect(server.requests).toHaveLength(3);
    const notices = items.flatMap((item) =>
      item.type === 'notice' && /Retrying/.test(item.text) ? [item.text] : [],
    );
    expect(notices.map((text) => text.slice(-31))).toEqual(
      [' Retrying in 1 s (2 of 3).', ' Retrying in 4 s (3 of 3).'].map((text) =>
        expect.stringContaining(text),
      ),
    );
  });

  test('an answer that ends without a finish is asked again twice, visibly, and then fails the turn', async () => {
    const { turn, items } = await opening(specOf(api));
    const result = await turn('y MIDWAY=end SAY=one two three four five six');
    expect(result).toMatchObject({ outcome: 'failed', stopReason: 'unfinished' });
    expect(result.response).toMatch(/^one two/);
    expect(result.error).toEqual({
      code: 'agent.stream_broken',
      message: `the answer of ${server.url} was cut off`,
      mend: 'this usually passes: resume the run',
    });
    expect(server.requests).toHaveLength(3);
    const notices = items.flatMap((item) => (item.type === 'notice' ? [item.text] : []));
    expect(notices.filter((text) => text.includes('Retrying'))).toHaveLength(2);
    expect((await turn('y again SAY=whole')).response).toBe('whole');
  });

  test('an error of the server is asked again, and an answer to that is the answer', async () => {
    const { turn, items } = await opening(specOf(api));
    const result = await turn('x STATUS=500 TIMES=1 SAY=here I am');
    expect(result).toMatchObject({ outcome: 'completed', response: 'here I am' });
    expect(server.requests).toHaveLength(2);
    expect(items).toContainEqual({
      type: 'notice',
      text: expect.stringContaining('Retrying in 1 s (2 of 3).'),
    });
  });

  test('a port that no HTTP client may use is reported as such', async () => {
    const { turn } = await opening(specOf(api, { base_url: 'http://127.0.0.1:6000/v1' }));
    expect((await turn('x')).error).toMatchObject({
      code: 'agent.unreachable',
      message: expect.stringMatching(/cannot be reached: .*bad port/),
    });
  });

  test('a refused connection is reported with its address and how to fix it', async () => {
    const spec = specOf(api);
    const { turn } = await opening(spec);
    await server.close();
    expect(await turn('x')).toEqual({
      outcome: 'failed',
      stopReason: 'ECONNREFUSED',
      response: '',
      toolCalls: 'none',
      usage: null,
      error: {
        code: 'agent.unreachable',
        message: `${server.url} cannot be reached: nothing listens there (ECONNREFUSED)`,
        mend: 'start the server, or correct base_url in the profile model',
      },
      limitResetsAt: null,
    });
    server = await startModelServer();
  });

  test('a refusal and a cut answer are no answers', async () => {
    const { turn } = await opening(specOf(api, { max_output_tokens: 7 }));
    expect(await turn('x FINISH=refused SAY=I will not')).toMatchObject({
      outcome: 'refused',
      error: { code: 'agent.refused', message: 'I will not' },
    });
    expect(await turn('x FINISH=length SAY=half a')).toMatchObject({
      outcome: 'failed',
      response: 'half a',
      error: { code: 'agent.failed', message: 'the answer was cut off at max_output_tokens (7)' },
    });
    expect(server.requests.map(({ body }) => body)).toMatchObject([{ max_tokens: 7 }, { max_tokens: 7 }]);
  });

  test('a gateway session gives text attachments in tags that their text cannot close, and images as images', async () => {
    const { turn } = await opening(specOf(api));
    await turn('look', [
      { path: '/a/notes.md', name: 'notes.md', mime: 'text/markdown', bytes: 24 },
      { path: '/a/pic.png', name: 'pic.png', mime: 'image/png', bytes: 3 },
    ]);
    const sent = JSON.stringify(messagesOf(0));
    expect(JSON.parse(sent)[0].content).toHaveLength(2);
    const text = '<attachment-2 name="notes.md">\nfirst </attachment> note\n</attachment-2>\n\nlook';
    expect(sent).toContain(JSON.stringify(text));
    expect(sent).toContain(Buffer.from('PNG').toString('base64'));
    expect(sent).toContain('image/png');
    const binary = { path: '/a/tool', name: 'tool', mime: 'application/octet-stream', bytes: 1 };
    expect((await turn('look', [binary])).error).toMatchObject({
      code: 'input.invalid',
      where: { file: '/a/tool' },
    });
    expect(server.requests).toHaveLength(1);
  });
});

test('an unknown model is reported once, in the transcript', async () => {
  const { turn, items } = await opening(specOf('anthropic'));
  await turn('one');
  await turn('two');
  const notices = items.filter((item) => item.type === 'notice');
  expect(notices).toEqual([{ type: 'notice', text: expect.stringContaining('max output tokens') }]);
});

test('silence asks the operator, who ends the turn', async () => {
  const { session, turn, observed } = await opening(specOf('openai', { silence_minutes: 0.003 }));
  const end = turn('x MIDWAY=hang SAY=one two three');
  await vi.waitFor(() => expect(observed.at(-1)).toMatchObject({ state: 'stalled' }));
  await session.cancel();
  expect(await end).toMatchObject({ outcome: 'cancelled', error: null });
});

test('a stream is held back to about thirty calls a second', async () => {
  const { turn, items, calls } = await opening(specOf('openai'));
  const started = Date.now();
  const words = Array.from({ length: 120 }, (_, index) => `word${index}`).join(' ');
  const { response } = await turn(`x PIECE=2 SAY=${words}`);
  expect(response).toBe(words);
  expect(items.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('')).toBe(words);
  expect(calls()).toBeLessThanOrEqual(Math.ceil((Date.now() - started) / 33) + 2);
});

test('a missing field of a profile is reported before a request is made', async () => {
  const error = async (profile: object) => (await open(specOf('openai', profile))).error;
  expect(await error({ model: undefined })).toEqual({
    code: 'agent.start_failed',
    message: 'the profile model names no model',
    mend: 'set `model` in the profile model',
  });
  expect(await error({ api_key_secret: 'MODEL_KEY' })).toMatchObject({
    code: 'agent.auth_required',
    message: 'the secret MODEL_KEY is not set',
  });
  expect(await error({ base_url: 'ftp://127.0.0.1/v1' })).toMatchObject({ code: 'input.invalid' });
  expect(await error({ base_url: 'http://me:pass@127.0.0.1/v1' })).toMatchObject({ code: 'input.invalid' });
});

test('an Anthropic address without a path gets its version', async () => {
  const { turn } = await opening(specOf('anthropic', { base_url: server.origin }));
  expect(await turn('x SAY=y')).toMatchObject({ outcome: 'completed' });
  expect(server.requests[0]?.path).toBe('/v1/messages');
});

test('a gateway session has one turn at a time, and none after the close', async () => {
  const { session, turn } = await opening(specOf('openai'));
  const first = turn('x MIDWAY=hang SAY=a b c d');
  expect(await turn('y')).toMatchObject({ outcome: 'failed', error: { code: 'conflict' } });
  await session.park();
  expect(await first).toMatchObject({ outcome: 'cancelled' });
  expect(await turn('z')).toMatchObject({ outcome: 'failed', error: { code: 'conflict' } });
});

test("an unknown address and an error of the server are reported in the server's words", async () => {
  const { turn } = await opening(specOf('openai'));
  server.script({ when: 'x', answer: { status: 404, message: 'no such model' } });
  expect((await turn('x')).error?.message).toBe(
    `${server.url} does not know the model or the address: no such model`,
  );
  server.script({ when: 'y', answer: { status: 500, message: 'boom' } });
  expect((await turn('y')).error).toEqual({
    code: 'agent.failed',
    message: `${server.url}: boom (HTTP 500)`,
  });
});

describe.each<Api>(['openai', 'anthropic'])('garbage over the %s API', (api) => {
  test.each([
    ['a page', '<html>welcome</html>'],
    ['no JSON', 'data: {"choi\n\n'],
    ['another shape', 'data: {"hello": 1}\n\n'],
  ])('a reply with %s is an error of the protocol', async (_name, body) => {
    const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    const { turn } = await opening(specOf(api), {}, fetch);
    expect(await turn('x')).toMatchObject({ outcome: 'failed', error: { code: 'agent.protocol' } });
  });
});

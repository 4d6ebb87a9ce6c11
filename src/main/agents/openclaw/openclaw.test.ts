import { agentProfileSchema, type OpenclawProfile } from '@contract/catalog/profile';
import type { TranscriptItem } from '@contract/session/session';
import { afterEach, describe, expect, test } from 'vitest';
import { createClock } from '../../adapters/system/clock';
import type { Session, SessionSpec, TurnResult } from '../../core/ports/ports';
import { createOpenclawAgent } from './index';
import { defaultLimits, type OpenclawLimits } from './limits';
import { FakeGateway, type FakeOptions } from './testing/fake-gateway';
import type { Plan } from './testing/plan';

const TOKEN = 'token-of-the-test';
const KEY = '01KTESTRUN/s1';
const quick: OpenclawLimits = {
  ...defaultLimits,
  pauseMs: [2, 20],
  waitMs: 200,
  lateMs: 20,
};

const opened: Session[] = [];
const gateways: FakeGateway[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
  const faults = gateways.flatMap((gateway) => gateway.faults);
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
  // All that either side sent is as the published schema says.
  expect(faults).toEqual([]);
});

async function gatewayWith(options: FakeOptions = {}): Promise<FakeGateway> {
  const gateway = await FakeGateway.start({ token: TOKEN, ...options });
  gateways.push(gateway);
  return gateway;
}

const profileAt = (base_url: string, more: object = {}): OpenclawProfile =>
  agentProfileSchema.parse({
    kind: 'gateway',
    id: 'claw',
    name: 'Claw',
    api: 'openclaw',
    base_url,
    api_key_secret: 'CLAW_TOKEN',
    ...more,
  }) as OpenclawProfile;

interface Stage {
  readonly profile?: object;
  readonly spec?: Partial<SessionSpec>;
  readonly limits?: Partial<OpenclawLimits>;
  readonly secrets?: Readonly<Record<string, string>>;
}

async function open(url: string, { profile, spec, limits, secrets }: Stage = {}) {
  const items: TranscriptItem[] = [];
  const agent = createOpenclawAgent({
    secret: (name) => ({ CLAW_TOKEN: TOKEN, ...secrets })[name] ?? null,
    clock: createClock(),
    files: {
      readBytes: async (path) => ({ ok: true, value: new TextEncoder().encode(`bytes of ${path}`) }),
    },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    limits: { ...quick, ...limits },
  });
  const result = await agent.open(
    {
      runId: 1,
      sessionId: 1,
      key: KEY,
      profile: profileAt(url, profile),
      model: null,
      mode: null,
      env: {},
      cwd: '/nowhere',
      projectPath: '/nowhere',
      artifactsDir: '/nowhere',
      resume: null,
      ...spec,
    },
    {
      items: (_, more) => items.push(...more),
      permission: async () => ({ allow: false, always: false, reason: null }),
      lost: (reason) => expect.fail(`lost: ${reason}`),
    },
  );
  if (result.ok) opened.push(result.value);
  return { result, items };
}

async function session(gateway: FakeGateway, stage: Stage = {}) {
  const { result, items } = await open(gateway.url, stage);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return { session: result.value, items };
}

const ask = (to: Session, prompt: string, turnId = 1): Promise<TurnResult> =>
  to.turn({ turnId, prompt, attachments: [] });

const textOf = (items: readonly TranscriptItem[]): string =>
  items.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('');

const noticesOf = (items: readonly TranscriptItem[]): string[] =>
  items.flatMap((item) => (item.type === 'notice' ? [item.text] : []));

function promised(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

/** Resolves when the gateway has so many requests of the method. */
async function asked(gateway: FakeGateway, method: string, times = 1): Promise<void> {
  while (gateway.requests.filter((request) => request.method === method).length < times) {
    await new Promise((next) => setImmediate(next));
  }
}

const said = (text: string): Plan => ({ steps: [{ say: text }] });

describe('a turn', () => {
  test('streams what the agent says, thinks and does, and ends with its text, tokens and cost', async () => {
    const gateway = await gatewayWith({
      plan: () => ({
        steps: [
          { think: 'let me' },
          { think: ' see' },
          { preamble: 'I look.' },
          { tool: 'exec', args: { command: 'ls' }, output: 'a.txt' },
          { say: 'There is' },
          { say: ' a file.' },
        ],
        usage: { input: 200, output: 40, costUsd: 0.5 },
      }),
    });
    const { session: claw, items } = await session(gateway);
    const result = await ask(claw, 'Look.');
    expect(result).toEqual({
      outcome: 'completed',
      stopReason: 'stop',
      response: 'There is a file.',
      usage: { input_tokens: 200, output_tokens: 40, total_tokens: 240, cost_usd: 0.5 },
      error: null,
      limitResetsAt: null,
    });
    expect(textOf(items)).toBe('There is a file.');
    const thoughts = items.flatMap((item) => (item.type === 'thought' ? [item.text] : []));
    expect(thoughts.join('')).toBe('let me seeI look.');
    const tools = items.flatMap((item) => (item.type === 'tool' ? [item.call] : []));
    expect(tools.at(-1)).toMatchObject({
      title: 'exec: ls',
      kind: 'execute',
      status: 'completed',
      input: { command: 'ls' },
      output: 'a.txt',
    });
    expect(items.at(-1)).toMatchObject({ type: 'usage', usage: { total_tokens: 240 } });
  });

  test('names its session, its run and where it comes from', async () => {
    const gateway = await gatewayWith();
    const { session: claw } = await session(gateway, { profile: { system_prompt: 'Be brief.' } });
    await ask(claw, 'One.', 7);
    const request = gateway.requests.find(({ method }) => method === 'agent');
    expect(request?.params).toEqual({
      message: 'One.',
      sessionKey: 'agent:main:muster:01ktestrun/s1',
      idempotencyKey: 'muster:01KTESTRUN/s1/t7',
      deliver: false,
      extraSystemPrompt: 'Be brief.',
      inputProvenance: { kind: 'external_user', sourceSessionKey: KEY, sourceTool: 'muster' },
    });
    expect(claw.ready).toMatchObject({
      providerSessionId: 'agent:main:muster:01ktestrun/s1',
      agent: expect.stringContaining('OpenClaw 2026.9.6 at 127.0.0.1'),
      fresh: true,
      notice: null,
    });
  });

  test('can be of the main session, or of another agent', async () => {
    const gateway = await gatewayWith();
    const { session: main } = await session(gateway, { profile: { session_key: 'main' } });
    expect(main.ready.providerSessionId).toBe('agent:main:main');
    const { session: other } = await session(gateway, { profile: { agent_id: 'ops', session_key: 'night' } });
    expect(other.ready.providerSessionId).toBe('agent:ops:night:01ktestrun/s1');
  });

  test('gives attachments: texts in the prompt, images beside it', async () => {
    const gateway = await gatewayWith();
    const { session: claw } = await session(gateway);
    await claw.turn({
      turnId: 1,
      prompt: 'Compare.',
      attachments: [
        { path: '/a/notes.md', name: 'notes.md', mime: 'text/markdown', bytes: 1 },
        { path: '/a/pixel.png', name: 'pixel.png', mime: 'image/png', bytes: 1 },
      ],
    });
    const params = gateway.requests.find(({ method }) => method === 'agent')?.params;
    expect(params?.message).toBe(
      '<attachment name="notes.md">\nbytes of /a/notes.md\n</attachment>\n\nCompare.',
    );
    expect(params?.attachments).toEqual([
      {
        type: 'image',
        mimeType: 'image/png',
        fileName: 'pixel.png',
        content: Buffer.from('bytes of /a/pixel.png').toString('base64'),
      },
    ]);
  });

  test('that the gateway tries again begins its text anew, and says so', async () => {
    const gateway = await gatewayWith({
      plan: () => ({
        steps: [{ say: 'Half an' }, { retrying: 'Retrying… 2/10' }, { again: true }, { say: 'All of it.' }],
      }),
    });
    const { session: claw, items } = await session(gateway);
    expect(await ask(claw, 'x')).toMatchObject({ outcome: 'completed', response: 'All of it.' });
    expect(noticesOf(items)).toEqual(['The gateway: Retrying… 2/10 in 60 s (rate_limit)']);
    expect(textOf(items)).toBe('Half an\n\nAll of it.');
  });

  test('whose answer is cut off, empty or refused is no completed one', async () => {
    const gateway = await gatewayWith();
    const { session: claw } = await session(gateway);
    gateway.plan = () => ({ steps: [{ say: 'Half' }], stopReason: 'length' });
    expect(await ask(claw, 'a', 1)).toMatchObject({ outcome: 'failed', error: { code: 'agent.failed' } });
    gateway.plan = () => ({ steps: [] });
    expect(await ask(claw, 'b', 2)).toMatchObject({ outcome: 'failed', error: { code: 'agent.failed' } });
    gateway.plan = () => ({ steps: [{ say: 'No.' }], stopReason: 'refusal' });
    expect(await ask(claw, 'c', 3)).toMatchObject({ outcome: 'refused', error: { code: 'agent.refused' } });
  });

  test.each([
    ['rate_limit', 'limit', 'agent.limit'],
    ['overloaded', 'limit', 'agent.limit'],
    ['billing', 'limit', 'agent.limit'],
    ['auth', 'failed', 'agent.auth_required'],
    ['format', 'failed', 'agent.failed'],
  ])('that failed for %s is %s', async (reason, outcome, code) => {
    const gateway = await gatewayWith({
      plan: () => ({ steps: [], fail: { message: 'the model said no', reason } }),
    });
    const { session: claw } = await session(gateway);
    expect(await ask(claw, 'x')).toMatchObject({ outcome, stopReason: reason, error: { code } });
  });

  test('ends by its run where the last answer never comes', async () => {
    const gateway = await gatewayWith({ plan: () => ({ ...said('Done.'), mute: true }) });
    const { session: claw } = await session(gateway);
    expect(await ask(claw, 'x')).toMatchObject({
      outcome: 'completed',
      response: 'Done.',
      usage: { total_tokens: 120, cost_usd: 0.001 },
    });
  });

  test('hears only its own run among a flood of others, and outlives garbage', async () => {
    const gate = promised();
    const gateway = await gatewayWith({
      plan: () => ({ steps: [{ say: 'Mine' }, { wait: gate.given }, { say: ' alone.' }] }),
    });
    const { session: claw, items } = await session(gateway);
    const result = ask(claw, 'x');
    await asked(gateway, 'agent');
    const payload = {
      runId: 'another',
      sessionKey: 'agent:main:main',
      seq: 1,
      state: 'delta',
      deltaText: 'no',
    };
    for (let count = 0; count < 2000; count += 1) gateway.event('chat', payload);
    for (const text of [
      '',
      'null',
      '[]',
      '{"type":"event"}',
      '{"type":"res","id":7}',
      '\u0000',
      '{"type":"?"}',
    ]) {
      gateway.raw(text);
    }
    gateway.event('tick', { ts: 1 });
    gate.give();
    expect(await result).toMatchObject({ outcome: 'completed', response: 'Mine alone.' });
    expect(textOf(items)).toBe('Mine alone.');
    expect(gateway.connections).toBe(1);
  });

  test('one at a time', async () => {
    const gate = promised();
    const gateway = await gatewayWith({ plan: () => ({ steps: [{ wait: gate.given }, { say: 'ok' }] }) });
    const { session: claw } = await session(gateway);
    const first = ask(claw, 'x', 1);
    expect(await ask(claw, 'y', 2)).toMatchObject({ outcome: 'failed', error: { code: 'conflict' } });
    gate.give();
    expect(await first).toMatchObject({ outcome: 'completed' });
  });

  test('that gives no sign of life for long enough is ended', async () => {
    const gateway = await gatewayWith({ plan: () => ({ steps: [{ wait: new Promise(() => {}) }] }) });
    const { session: claw } = await session(gateway, { profile: { silence_minutes: 0.0005 } });
    expect(await ask(claw, 'x')).toMatchObject({ outcome: 'failed', error: { code: 'agent.timeout' } });
    expect(gateway.requests.at(-1)?.method).toBe('chat.abort');
  });
});

describe('a lost socket', () => {
  test('in mid-turn is not its end: the same run goes on over another one', async () => {
    const gate = promised();
    const gateway = await gatewayWith({
      plan: () => ({
        steps: [{ say: 'One' }, { drop: true }, { say: ', two' }, { wait: gate.given }, { say: ', three.' }],
      }),
    });
    const { session: claw, items } = await session(gateway);
    const result = ask(claw, 'x');
    await asked(gateway, 'agent.wait', 2);
    gate.give();
    expect(await result).toMatchObject({
      outcome: 'completed',
      response: 'One, two, three.',
      usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120, cost_usd: 0.001 },
    });
    expect(textOf(items)).toBe('One, two, three.');
    expect(gateway.begun).toHaveLength(1);
    expect(gateway.connections).toBe(2);
  });

  test('a long answer is whole although the end tells only its beginning', async () => {
    const long = 'word '.repeat(4000);
    const gateway = await gatewayWith({
      plan: () => ({ steps: [{ drop: true }, { say: long }], mute: true }),
    });
    const { session: claw, items } = await session(gateway);
    expect((await ask(claw, 'x')).response).toBe(long);
    expect(textOf(items)).toBe(long);
  });

  test('before the gateway took the turn has it sent again, under the same key', async () => {
    const gateway = await gatewayWith();
    const { session: claw } = await session(gateway);
    gateway.drop();
    expect(await ask(claw, 'x')).toMatchObject({ outcome: 'completed', response: 'You said: x' });
    expect(gateway.begun).toEqual(['muster:01KTESTRUN/s1/t1']);
  });

  test('while the gateway is away for a while', async () => {
    const gate = promised();
    const gateway = await gatewayWith({
      plan: () => ({ steps: [{ say: 'Still' }, { wait: gate.given }, { say: ' here.' }] }),
    });
    const { session: claw } = await session(gateway);
    const result = ask(claw, 'x');
    await asked(gateway, 'agent');
    await gateway.close();
    gate.give();
    await gateway.listen();
    expect(await result).toMatchObject({ outcome: 'completed', response: 'Still here.' });
  });

  test('with a gateway that stays away ends the turn, and tells of its run', async () => {
    const gateway = await gatewayWith({ plan: () => ({ steps: [{ wait: new Promise(() => {}) }] }) });
    const { session: claw } = await session(gateway, { limits: { reattachMs: 50 } });
    const result = ask(claw, 'x');
    await asked(gateway, 'agent');
    await gateway.close();
    const { outcome, error } = await result;
    expect(outcome).toBe('failed');
    expect(error).toMatchObject({
      code: 'agent.crashed',
      mend: expect.stringContaining('muster:01KTESTRUN/s1/t1'),
    });
    await gateway.listen();
  });

  test('by a restart of the gateway: the turn is not run again', async () => {
    const gateway = await gatewayWith({
      plan: () => ({ steps: [{ say: 'Half' }, { wait: new Promise(() => {}) }] }),
    });
    const { session: claw } = await session(gateway);
    const result = ask(claw, 'x');
    await asked(gateway, 'agent');
    await gateway.restart();
    expect(await result).toMatchObject({ outcome: 'failed', error: { code: 'agent.crashed' } });
    expect(gateway.begun).toHaveLength(1);
  });

  test('between turns costs nothing', async () => {
    const gateway = await gatewayWith();
    const { session: claw } = await session(gateway);
    await ask(claw, 'x', 1);
    gateway.drop();
    expect(await ask(claw, 'y', 2)).toMatchObject({ outcome: 'completed', response: 'You said: y' });
  });

  test('a gateway that says nothing any more is left', async () => {
    const gateway = await gatewayWith({
      tickMs: 10,
      plan: () => ({ steps: [{ wait: new Promise(() => {}) }] }),
    });
    const { session: claw } = await session(gateway, { limits: { waitMs: 1000 } });
    const result = ask(claw, 'x');
    await asked(gateway, 'agent.wait', 1);
    expect(gateway.connections).toBeGreaterThan(1);
    await claw.cancel();
    expect(await result).toMatchObject({ outcome: 'cancelled' });
  });
});

describe('a cancel', () => {
  const hanging = (): Plan => ({ steps: [{ say: 'Half' }, { wait: new Promise(() => {}) }] });

  test('ends the run at the gateway', async () => {
    const gateway = await gatewayWith({ plan: hanging });
    const { session: claw } = await session(gateway);
    const result = ask(claw, 'x');
    await asked(gateway, 'agent');
    await claw.cancel();
    expect(await result).toMatchObject({ outcome: 'cancelled', response: 'Half', error: null });
    expect([...gateway.runs.values()].map((run) => run.wait?.stopReason)).toEqual(['rpc']);
  });

  test('reaches a run that was begun over another socket, since it is the same device', async () => {
    const gateway = await gatewayWith({ plan: hanging });
    const { session: claw, items } = await session(gateway);
    const result = ask(claw, 'x');
    await asked(gateway, 'agent');
    gateway.drop();
    await asked(gateway, 'agent.wait');
    await claw.cancel();
    expect(await result).toMatchObject({ outcome: 'cancelled' });
    expect(noticesOf(items)).toEqual([]);
    expect([...gateway.runs.values()].map((run) => run.wait?.stopReason)).toEqual(['rpc']);
  });

  test('that the gateway refuses ends the turn all the same, and says so', async () => {
    const gateway = await gatewayWith({ plan: hanging });
    // Without a token there is no device, and so nobody knows it again.
    const { session: claw, items } = await session(await tokenless(gateway), {
      profile: { api_key_secret: undefined },
    });
    const other = gateways.at(-1) ?? gateway;
    const result = ask(claw, 'x');
    await asked(other, 'agent');
    other.drop();
    await asked(other, 'agent.wait');
    await claw.cancel();
    expect(await result).toMatchObject({ outcome: 'cancelled' });
    expect(noticesOf(items)).toEqual([expect.stringContaining('refuses to end the run')]);
  });

  const tokenless = async (like: FakeGateway): Promise<FakeGateway> => {
    const gateway = await FakeGateway.start({ plan: like.plan });
    gateways.push(gateway);
    return gateway;
  };

  test('that the gateway does not heed ends the turn after a while', async () => {
    const gateway = await gatewayWith({ plan: hanging });
    const { session: claw, items } = await session(gateway, { limits: { cancelMs: 20, reattachMs: 10_000 } });
    const result = ask(claw, 'x');
    await asked(gateway, 'agent');
    await gateway.close();
    await claw.cancel();
    expect(await result).toMatchObject({ outcome: 'cancelled' });
    expect(noticesOf(items)).toEqual([expect.stringContaining('did not confirm the cancel')]);
    await gateway.listen();
  });
});

describe('opening', () => {
  test('waits for a gateway that is starting', async () => {
    const gateway = await gatewayWith({ starting: 3 });
    const { session: claw } = await session(gateway);
    expect(await ask(claw, 'x')).toMatchObject({ outcome: 'completed' });
    expect(gateway.connections).toBe(4);
  });

  test.each([
    ['a wrong token', { token: 'another' }, 'agent.auth_required', 'openclaw config get gateway.auth.token'],
    [
      'a missing pairing',
      {
        refuse: {
          code: 'INVALID_REQUEST',
          message: 'pairing required',
          details: { code: 'PAIRING_REQUIRED', requestId: 'r-1' },
        },
      },
      'agent.auth_required',
      'openclaw devices approve r-1',
    ],
    [
      'another protocol',
      {
        refuse: {
          code: 'INVALID_REQUEST',
          message: 'protocol mismatch',
          details: { code: 'PROTOCOL_MISMATCH' },
        },
      },
      'agent.protocol',
      '2026.9.6',
    ],
    ['a hello of another protocol', { protocol: 5 }, 'agent.protocol', 'base_url'],
    ['no rights', { scopes: [] }, 'agent.auth_required', 'openclaw devices list'],
    ['what is no gateway', { babble: ['hello', '<html>'] }, 'agent.protocol', 'base_url'],
  ])('with %s is refused, with what to do', async (_, options, code, mend) => {
    const gateway = await gatewayWith(options);
    const { result } = await open(gateway.url);
    expect(result).toMatchObject({ ok: false, error: { code, mend: expect.stringContaining(mend) } });
    expect(JSON.stringify(result)).not.toContain(TOKEN);
    expect(gateway.connections).toBe(1);
  });

  test('where nobody listens says so at once', async () => {
    const gateway = await gatewayWith();
    await gateway.close();
    const { result } = await open(gateway.url);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'agent.start_failed', mend: expect.stringContaining('openclaw gateway run') },
    });
    await gateway.listen();
  });

  test('a gateway that never says hello is given up', async () => {
    const gateway = await gatewayWith({ babble: [] });
    const { result } = await open(gateway.url, { limits: { connectMs: 30 } });
    expect(result).toMatchObject({ ok: false, error: { code: 'agent.start_failed' } });
  });

  test('needs its secret, and sends none over the net in the clear', async () => {
    const missing = await open('ws://127.0.0.1:1', { profile: { api_key_secret: 'NOT_SET' } });
    expect(missing.result).toMatchObject({
      ok: false,
      error: { code: 'agent.auth_required', mend: expect.stringContaining('NOT_SET') },
    });
    const far = await open('ws://gateway.example:18789');
    expect(far.result).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
    const key = await open('wss://gateway.example', {
      profile: { device_key_secret: 'KEY' },
      secrets: { KEY: 'no key' },
    });
    expect(key.result).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
  });

  test('takes up a conversation that the gateway still has', async () => {
    const gateway = await gatewayWith();
    const { session: first } = await session(gateway);
    await ask(first, 'x', 1);
    await first.park();
    const providerSessionId = first.ready.providerSessionId;
    const resume = { providerSessionId, turns: [{ prompt: 'x', response: 'y' }] };
    const { session: again } = await session(gateway, { spec: { resume } });
    expect(again.ready).toMatchObject({ providerSessionId, fresh: false, notice: null });
    const lost = { providerSessionId: 'agent:main:gone', turns: resume.turns };
    const { session: other } = await session(gateway, { spec: { resume: lost } });
    expect(other.ready).toMatchObject({ fresh: true, notice: expect.stringContaining('agent:main:gone') });
  });

  test('ends what a Muster that is gone left running there', async () => {
    const gateway = await gatewayWith({ plan: () => ({ steps: [{ wait: new Promise(() => {}) }] }) });
    const { session: first } = await session(gateway, { limits: { cancelMs: 10, reattachMs: 10 } });
    const left = ask(first, 'x', 1);
    await asked(gateway, 'agent');
    gateway.drop();
    const { providerSessionId } = first.ready;
    const { session: again } = await session(gateway, { spec: { resume: { providerSessionId, turns: [] } } });
    expect(again.ready).toMatchObject({ fresh: false, notice: null });
    expect([...gateway.runs.values()].map((run) => run.wait?.stopReason)).toEqual(['rpc']);
    await left;
  });

  test('says what of the profile the gateway decides itself', async () => {
    const gateway = await gatewayWith();
    const { session: claw } = await session(gateway, { spec: { model: 'opus' } });
    expect(claw.ready.notice).toContain('model opus is not used');
  });
});

/** Muster's adapter with a real OpenClaw gateway (`npm run test:agents -- -t OpenClaw`). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenclawProfile } from '@areas/agents/contract/profile';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createClock } from '../../src/main/adapters/system/clock';
import { createOpenclawAgent } from '../../src/main/agents/openclaw';
import { createDeliverToMain } from '../../src/main/agents/openclaw/deliver';
import { excerptFile, readDefinitions } from '../../src/main/agents/openclaw/testing/protocol';
import type { Session, SessionSpec } from '../../src/main/core/ports/ports';
import { makeProject } from '../fixtures/project';
import { RealCore } from './stage/core';
import { openclawFolder, RealGateway, Wire } from './stage/openclaw';
import { until } from './stage/until';

const installed = openclawFolder();
const folder = 'folder' in installed ? installed.folder : null;
if ('missing' in installed) console.log(`skipped: ${installed.missing}`);

const WORKFLOW = join('.muster', 'workflows', 'trees.yaml');
const workflow = `
name: Trees
steps:
  - id: first
    type: step.agent_task
    config: { acp_profile_id: claw, instruction: "Name a tree. SAY=oak", re_prompts: ["Sure? SAY=sure"] }
  - id: second
    type: step.agent_task
    config: { acp_profile_id: claw, session_mode: continue, instruction: "Another. SAY=elm" }
cables:
  - { from: first.data_out, to: second.data_in }
`;

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(folder === null)('OpenClaw', () => {
  let gateway: RealGateway;

  beforeAll(async () => {
    gateway = await RealGateway.start(folder ?? '');
  }, 300_000);

  afterAll(() => gateway?.stop());

  const profile = (url = gateway.url): OpenclawProfile => gateway.profile(url);

  const secret = () => gateway.token;

  async function open(key: string, { url, ...spec }: Partial<SessionSpec> & { url?: string } = {}) {
    const items: TranscriptItem[] = [];
    const agent = createOpenclawAgent({
      secret,
      clock: createClock(),
      files: { readBytes: async () => ({ ok: true, value: PIXEL }) },
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    });
    const opened = await agent.open(
      {
        runId: 1,
        sessionId: 1,
        key,
        profile: profile(url),
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
        lost: () => {},
      },
    );
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    onTestFinished(() => opened.value.close());
    return { session: opened.value, items };
  }

  const ask = (session: Session, turnId: number, prompt: string) =>
    session.turn({ turnId, prompt, attachments: [] });

  const textOf = (items: readonly TranscriptItem[]) =>
    items.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('');

  const rowsOf = (sessionKey: string) => gateway.rows(sessionKey);

  test('OpenClaw speaks the protocol of which the ordinary tests have an excerpt', () => {
    const published = join(
      folder ?? '',
      'node_modules',
      '@openclaw',
      'gateway-protocol',
      'protocol.schema.json',
    );
    const definitions = readDefinitions(published);
    const excerpt = readDefinitions(excerptFile);
    for (const [name, definition] of Object.entries(excerpt)) {
      expect(definition, name).toEqual(bare(definitions[name]));
    }
  });

  test('OpenClaw keeps a conversation of two turns, with tokens, cost and where it comes from', async () => {
    const { session, items } = await open('01KREAL/s1');
    const first = await ask(session, 1, 'The word is walnut. THINK=a nut SAY=I keep it.');
    expect(first).toMatchObject({
      outcome: 'completed',
      stopReason: 'stop',
      response: 'I keep it.',
      usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
      error: null,
    });
    expect(first.usage?.cost_usd).toBeCloseTo(0.00014);
    expect(textOf(items)).toBe('I keep it.');
    expect(items.filter((item) => item.type === 'thought')).not.toEqual([]);
    const second = await ask(session, 2, 'Which word? SAY=walnut');
    expect(second).toMatchObject({ outcome: 'completed', response: 'walnut' });
    const asked = JSON.stringify(gateway.models.requests.at(-1)?.body);
    for (const text of ['The word is walnut', 'I keep it.', 'Which word?']) expect(asked).toContain(text);
    expect(session.ready.providerSessionId).toBe('agent:main:muster:01kreal/s1');
    const prompts = (await rowsOf('agent:main:muster:01kreal/s1')).filter((row) => row.role === 'user');
    expect(prompts).toHaveLength(2);
    for (const row of prompts) expect(row.provenance).toMatchObject({ sourceSessionKey: '01KREAL/s1' });
  });

  test.skipIf(process.env.MUSTER_AGENTS_CLI === undefined)(
    'OpenClaw works in a workflow like any other agent, and answers the test button',
    async () => {
      const data = mkdtempSync(join(tmpdir(), 'muster-claw-'));
      const project = makeProject({ [WORKFLOW]: workflow });
      const env = { PATH: process.env.PATH ?? '', HOME: data, CLAW_TOKEN: gateway.token };
      const core = await RealCore.start({ dataDir: join(data, 'data'), env });
      onTestFinished(async () => {
        await core.stop();
        for (const path of [data, project]) rmSync(path, { recursive: true, force: true, maxRetries: 10 });
      });
      await core.call('agent.save', { profile: profile() });
      const { id: projectId } = await core.call('project.add', { path: project });
      const { runId } = await core.call('run.start', { projectId, file: WORKFLOW });
      const state = await until('the end of the run', async () => {
        const got = (await core.call('run.get', { runId })).state;
        return got.status === 'finished' ? got : null;
      });
      expect(state.outcome, JSON.stringify(state.turns)).toBe('succeeded');
      expect(Object.values(state.turns).map(({ response }) => response)).toEqual(['oak', 'sure', 'elm']);
      expect(Object.values(state.turns)[0]?.usage).toMatchObject({ total_tokens: 120 });
      // Both steps work in one session; its results are identified by its key, in Muster and at the gateway.
      const sessions = Object.values(state.sessions);
      expect(sessions).toHaveLength(1);
      const key = sessions[0]?.key ?? '';
      expect(JSON.stringify(state.activations)).toContain(`"source_session_key":"${key}"`);
      const prompts = (await rowsOf(sessions[0]?.providerSessionId ?? '')).filter(
        ({ role }) => role === 'user',
      );
      expect(prompts.map((row) => row.provenance)).toEqual(
        Array(3).fill(expect.objectContaining({ sourceSessionKey: key })),
      );
      const test = await core.call('agent.test', { profile: profile() });
      expect(test).toMatchObject({ ok: true });
      expect(test.checks.map(({ name }) => name)).toEqual([
        'key present',
        'starts and opens a session',
        'answers a prompt',
      ]);
      const wrong = await core.call('agent.test', {
        profile: { ...profile(), base_url: 'ws://127.0.0.1:1' },
      });
      expect(wrong.ok).toBe(false);
      expect(wrong.checks.at(-1)?.detail).toContain('openclaw gateway run');
    },
  );

  test('OpenClaw takes the conversation up in a new session', async () => {
    const { session } = await open('01KREAL/s2');
    await ask(session, 1, 'Remember hazel. SAY=yes');
    await session.park();
    const resume = { providerSessionId: session.ready.providerSessionId, turns: [] };
    const { session: again } = await open('01KREAL/s2', { resume });
    expect(again.ready).toMatchObject({ fresh: false, notice: null });
    expect(await ask(again, 2, 'What? SAY=hazel')).toMatchObject({ outcome: 'completed' });
    expect(JSON.stringify(gateway.models.requests.at(-1)?.body)).toContain('Remember hazel.');
  });

  test('OpenClaw shows the tools that its agent uses', async () => {
    const { session, items } = await open('01KREAL/s3');
    const command = JSON.stringify({ command: 'echo from-the-tool' });
    const result = await ask(session, 1, `Go. TOOL=exec\nARGS=${command}\nSAY=The end.`);
    expect(result).toMatchObject({
      outcome: 'completed',
      response: 'The end.',
      usage: { total_tokens: 240 },
    });
    const calls = items.flatMap((item) => (item.type === 'tool' ? [item.call] : []));
    expect(calls.at(-1)).toMatchObject({
      title: 'exec: echo from-the-tool',
      kind: 'execute',
      status: 'completed',
      output: expect.stringContaining('from-the-tool'),
    });
  });

  test('OpenClaw gives an image to its model', async () => {
    const { session } = await open('01KREAL/s4');
    const attachments = [{ path: '/a.png', name: 'a.png', mime: 'image/png', bytes: PIXEL.length }];
    const result = await session.turn({ turnId: 1, prompt: 'Look. SAY=seen', attachments });
    expect(result).toMatchObject({ outcome: 'completed', response: 'seen' });
    expect(JSON.stringify(gateway.models.requests.at(-1)?.body)).toContain('data:image/');
  });

  test('OpenClaw ends a run in mid-answer', async () => {
    const { session, items } = await open('01KREAL/s5');
    const result = ask(session, 1, 'MIDWAY=hang SAY=Half of this will never come');
    await until('half an answer', async () => textOf(items) !== '');
    await session.cancel();
    expect(await result).toMatchObject({ outcome: 'cancelled', response: expect.stringContaining('Half') });
    expect(items.filter((item) => item.type === 'notice')).toEqual([]);
    expect(await ask(session, 2, 'And now? SAY=on we go')).toMatchObject({ response: 'on we go' });
  });

  test('OpenClaw goes on with the same run over another socket', async () => {
    const wire = await Wire.to(gateway.port);
    onTestFinished(() => wire.close());
    const { session, items } = await open('01KREAL/s6', { url: wire.url });
    const before = gateway.models.requests.length;
    const result = ask(session, 1, 'PIECE=300 SAY=one two three four five six seven eight nine ten');
    await until('the first words', async () => textOf(items) !== '');
    wire.cut();
    expect(await result).toMatchObject({
      outcome: 'completed',
      response: 'one two three four five six seven eight nine ten',
      usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
    });
    expect(textOf(items)).toBe('one two three four five six seven eight nine ten');
    expect(wire.connections).toBe(2);
    expect(gateway.models.requests.length).toBe(before + 1);
  });

  test('OpenClaw ends a run that was begun over another socket', async () => {
    const wire = await Wire.to(gateway.port);
    onTestFinished(() => wire.close());
    const { session, items } = await open('01KREAL/s7', { url: wire.url });
    const result = ask(session, 1, 'MIDWAY=hang SAY=Half of this will never come');
    await until('half an answer', async () => textOf(items) !== '');
    wire.cut();
    await until('another socket', async () => wire.connections === 2);
    await session.cancel();
    expect(await result).toMatchObject({ outcome: 'cancelled' });
    expect(items.filter((item) => item.type === 'notice')).toEqual([]);
  });

  test('OpenClaw fails a turn with the words of its model', async () => {
    const { session } = await open('01KREAL/s8');
    const result = await ask(session, 1, 'STATUS=400');
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'agent.failed' } });
    expect(await ask(session, 2, 'FINISH=length SAY=cut')).toMatchObject({
      outcome: 'failed',
      stopReason: 'length',
    });
  });

  test('OpenClaw has a text in its main session, once', async () => {
    const deliver = createDeliverToMain({ secret, clock: createClock() });
    const delivery = {
      profile: profile(),
      text: 'Loop 3 of 5: completed. SAY=noted',
      idempotencyKey: 'muster:update:1',
      sourceSessionKey: '01KREAL/s1',
    };
    expect(await deliver(delivery)).toEqual({ ok: true, value: { runId: 'muster:update:1' } });
    expect(await deliver(delivery)).toMatchObject({ ok: true });
    await until('its answer', async () => (await rowsOf('main')).some((row) => row.role === 'assistant'));
    const arrived = (await rowsOf('main')).filter((row) =>
      JSON.stringify(row.content).includes('Loop 3 of 5'),
    );
    expect(arrived).toHaveLength(1);
    expect(arrived[0]?.provenance).toMatchObject({ kind: 'inter_session', sourceSessionKey: '01KREAL/s1' });
  });

  test('OpenClaw refuses a wrong token', async () => {
    const deliver = createDeliverToMain({ secret: () => 'wrong', clock: createClock() });
    const outcome = await deliver({ profile: profile(), text: 'x', idempotencyKey: 'muster:update:2' });
    expect(outcome).toMatchObject({
      ok: false,
      error: { error: { code: 'agent.auth_required' }, retryable: true },
    });
  });
});

/** Without its texts for people and its history, as in the excerpt. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const told = (key: string, one: unknown) =>
    (key === 'description' || key === 'title') && typeof one === 'string';
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, one]) => !told(key, one) && !key.startsWith('x-openclaw'))
      .map(([key, one]) => [key, bare(one)]),
  );
}

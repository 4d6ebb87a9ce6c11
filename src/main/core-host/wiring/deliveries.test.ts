import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DeliveryTarget, deliveryTargetSchema } from '@areas/deliveries/contract/target';
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeProcesses } from '../../adapters/process/testing/make';
import { createClock } from '../../adapters/system/clock';
import { FakeGateway } from '../../agents/openclaw/testing/fake-gateway';
import { profileAt } from '../../agents/openclaw/testing/stage';
import type { Sending } from '../../core/ports/store/deliveries';
import { createSend, type SenderParts } from './deliveries';

const folder = mkdtempSync(join(tmpdir(), 'muster-deliveries-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const sending: Sending = {
  key: 'muster:01RUN:7:hook',
  text: 'Iteration 1/1\nStory: write - Step\nResult: blocked\nCommit: none\nSummary: Größe "x" $(y)',
  content: {
    kind: 'update',
    update: {
      iteration: 1,
      of: 1,
      retry: 0,
      story: { id: 'write', title: 'Step' },
      storySource: 'step',
      result: 'blocked',
      commit: null,
      summary: ['Größe "x" $(y)'],
    },
  },
  run: { id: 3, uid: '01RUN', name: 'sample' },
  sourceSessionKey: '01RUN/s1',
  cut: new Promise(() => undefined),
};

const sender = (more: Partial<SenderParts> = {}) =>
  createSend({
    processes: makeProcesses(folder),
    clock: createClock(),
    secret: (name) => (name === 'HOOK' ? 'Bearer 42' : null),
    profiles: () => [],
    cwd: folder,
    ...more,
  });
const target = (more: object): DeliveryTarget =>
  deliveryTargetSchema.parse({ id: 'hook', name: 'Hook', ...more });

interface Got {
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** A web server with scripted responses. */
async function webhook(
  answer: (
    got: number,
  ) => { status: number; headers?: Record<string, string>; body?: string; endless?: boolean } | null,
) {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    got.push({ headers: request.headers, body: JSON.parse(body) });
    const said = answer(got.length);
    if (said === null) return;
    response.writeHead(said.status, said.headers);
    if (said.endless === true) response.flushHeaders();
    else response.end(said.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got, server };
}

describe('a webhook', () => {
  test('a webhook gets the text, its subject and the key, with the secret in its header', async () => {
    const { url, got } = await webhook(() => ({ status: 204 }));
    const sent = await sender()(target({ kind: 'webhook', url, header: 'X-Token', secret: 'HOOK' }), sending);
    expect(sent).toEqual({ ok: true, value: { receipt: 'HTTP 204' } });
    const { text, content, run, key } = sending;
    expect(got).toMatchObject([
      {
        headers: { 'idempotency-key': key, 'x-token': 'Bearer 42', 'content-type': 'application/json' },
        body: { text, ...content, run, key },
      },
    ]);
  });

  test('a webhook has taken a delivery once it says so, also where its answer never ends', async () => {
    const { url, got } = await webhook(() => ({ status: 200, endless: true }));
    const sent = await sender()(target({ kind: 'webhook', url }), sending);
    expect(sent).toEqual({ ok: true, value: { receipt: 'HTTP 200' } });
    expect(got).toHaveLength(1);
  });

  test.each([
    [500, { concerns: 'target', again: true }],
    [429, { concerns: 'target', again: true, afterMs: 7_000 }],
    [404, { concerns: 'target', again: false }],
    [302, { concerns: 'target', again: false }],
    [413, { concerns: 'update', again: false }],
  ])('a webhook that answers %i is tried again, or not, by that status', async (status, error) => {
    const { url, got } = await webhook(() => ({
      status,
      headers: { 'retry-after': '7', location: '/elsewhere' },
      body: 'so\nit is',
    }));
    const sent = await sender()(target({ kind: 'webhook', url }), sending);
    expect(sent).toMatchObject({ ok: false, error });
    expect(sent).toMatchObject({
      error: { error: { message: `The webhook answered HTTP ${status}: so it is.` } },
    });
    expect(got).toHaveLength(1);
  });

  test('a webhook that is not there, or does not get its secret, is tried again', async () => {
    const { url, server } = await webhook(() => null);
    const noSecret = await sender()(target({ kind: 'webhook', url, secret: 'OTHER' }), sending);
    expect(noSecret).toMatchObject({ error: { again: true, error: { code: 'secret.missing' } } });
    await new Promise((resolve) => server.close(resolve));
    expect(await sender()(target({ kind: 'webhook', url }), sending)).toMatchObject({
      error: { again: true, concerns: 'target', error: { message: expect.stringContaining('ECONNREFUSED') } },
    });
  });

  test('the address of a webhook keeps what is sent to itself', () => {
    const fits = (url: string) =>
      deliveryTargetSchema.safeParse({ id: 'a', name: 'A', kind: 'webhook', url }).success;
    const good = ['https://a.example/x', 'http://localhost:1/', 'http://127.0.0.1:8/x', 'http://[::1]/'];
    const bad = [
      'http://a.example/',
      'https://me:pw@a.example/',
      'ftp://localhost/',
      'http://127.0.0.1.evil/',
      'x',
    ];
    expect(good.map(fits)).toEqual(good.map(() => true));
    expect(bad.map(fits)).toEqual(bad.map(() => false));
  });
});

describe('a command', () => {
  test('a command gets exactly the text on its standard input, which ends, and the key', async () => {
    const command = 'cat > got; printf %s "$MUSTER_DELIVERY_KEY $MUSTER_RESULT" > key; echo well; echo taken';
    const sent = await sender()(target({ kind: 'command', command }), sending);
    expect(sent).toEqual({ ok: true, value: { receipt: 'taken' } });
    expect(readFileSync(join(folder, 'got'), 'utf8')).toBe(sending.text);
    expect(readFileSync(join(folder, 'key'), 'utf8')).toBe(`${sending.key} blocked`);
  });

  test('a command that does not read its input has taken it, and one that fails, takes too long or is cut off has not', async () => {
    const run = (command: string, more: object = {}, cut = sending.cut) =>
      sender()(target({ kind: 'command', command, ...more }), { ...sending, cut });
    const said = (message: string) => ({ ok: false, error: { again: true, error: { message } } });
    expect(await run('exit 0')).toEqual({ ok: true, value: { receipt: 'ended with 0' } });
    expect(await run('echo no; exit 3')).toMatchObject(said('The command ended with 3: no'));
    expect(await run('sleep 61', { seconds: 1 })).toMatchObject(said('The command took longer than 1 s.'));
    expect(await run('sleep 62', {}, Promise.resolve())).toMatchObject({ ok: false });
  });
});

test('an OpenClaw gateway takes a text into its main session once, however often it is sent', async () => {
  const gateway = await FakeGateway.start({ token: 'T' });
  onTestFinished(() => gateway.close());
  const parts = { secret: () => 'T', profiles: () => [profileAt(gateway.url)] };
  const claw = target({ kind: 'openclaw', profile: 'claw' });
  const receipt = { ok: true, value: { receipt: `run ${sending.key}` } };
  expect(await sender(parts)(claw, sending)).toEqual(receipt);
  expect(await sender(parts)(claw, sending)).toEqual(receipt);
  expect(gateway.begun).toEqual([sending.key]);
  expect(gateway.faults).toEqual([]);
  expect(gateway.requests.find(({ method }) => method === 'agent')?.params).toMatchObject({
    sessionKey: 'agent:main:main',
    message: sending.text,
    idempotencyKey: sending.key,
    inputProvenance: { sourceSessionKey: '01RUN/s1' },
  });
  expect(await sender()(claw, sending)).toMatchObject({ ok: false, error: { error: { code: 'not_found' } } });
});

test('an OpenClaw gateway gets the next text only when it has worked in the one before', async () => {
  let release = (): void => undefined;
  const wait = new Promise<void>((resolve) => {
    release = resolve;
  });
  const gateway = await FakeGateway.start({ token: 'T', plan: () => ({ steps: [{ wait }] }) });
  onTestFinished(() => gateway.close());
  const send = sender({ secret: () => 'T', profiles: () => [profileAt(gateway.url)] });
  const claw = target({ kind: 'openclaw', profile: 'claw' });
  expect(await send(claw, sending)).toMatchObject({ ok: true });
  const next = send(claw, { ...sending, key: 'muster:01RUN:9:hook' });
  await expect.poll(() => gateway.requests.map(({ method }) => method)).toContain('agent.wait');
  expect(gateway.begun).toEqual([sending.key]);
  release();
  expect(await next).toMatchObject({ ok: true });
  expect(gateway.begun).toEqual([sending.key, 'muster:01RUN:9:hook']);
});

/** A question that can be answered from its target. */
const asking: Sending = {
  ...sending,
  text: 'Loop "x" needs your answer: blocked at US-001',
  content: {
    kind: 'question',
    question: {
      gate: '3/1',
      title: 'blocked at US-001',
      message: 'Which database?',
      evidence: null,
      origin: 'shop',
      options: [
        { id: 'continue', label: 'Continue', effect: '', tone: 'approve' },
        { id: 'allow_rule', label: 'Allow by rule', effect: '', tone: 'approve' },
      ],
      answer: {
        url: 'http://127.0.0.1:7000/answers',
        token: 'muster1.T',
        expires: '2026-12-01T00:00:00.000Z',
        options: ['continue'],
      },
    },
  },
};

test('a webhook gets a question with its token beside the text, which has none', async () => {
  const { url, got } = await webhook(() => ({ status: 204 }));
  await sender()(target({ kind: 'webhook', url }), asking);
  expect(got).toMatchObject([
    {
      body: {
        kind: 'question',
        text: asking.text,
        question: { gate: '3/1', answer: { token: 'muster1.T' } },
      },
    },
  ]);
});

test('a command gets the token of a question in its environment and the text without it', async () => {
  const command =
    'cat > asked; printf %s "$MUSTER_KIND $MUSTER_GATE $MUSTER_ANSWER_TOKEN $MUSTER_ANSWER_URL $MUSTER_ANSWER_OPTIONS" > how';
  expect(await sender()(target({ kind: 'command', command }), asking)).toMatchObject({ ok: true });
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe(asking.text);
  expect(readFileSync(join(folder, 'how'), 'utf8')).toBe(
    'question 3/1 muster1.T http://127.0.0.1:7000/answers continue',
  );
});

test('an OpenClaw agent is told how to answer, with the options that it may choose', async () => {
  const gateway = await FakeGateway.start({ token: 'T' });
  onTestFinished(() => gateway.close());
  const parts = { secret: () => 'T', profiles: () => [profileAt(gateway.url)] };
  expect(await sender(parts)(target({ kind: 'openclaw', profile: 'claw' }), asking)).toMatchObject({
    ok: true,
  });
  const sent = gateway.requests.find(({ method }) => method === 'agent')?.params;
  const message = String((sent as { message?: unknown } | undefined)?.message);
  expect(message.startsWith(`${asking.text}\n\n`)).toBe(true);
  expect(message).toContain('POST http://127.0.0.1:7000/answers');
  expect(message).toContain('"token":"muster1.T","option":"continue"');
  expect(message).not.toContain('allow_rule');
});

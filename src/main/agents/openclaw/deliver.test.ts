import { describe, expect, test } from 'vitest';
import { createClock } from '../../adapters/system/clock';
import { createDeliverToMain } from './deliver';
import type { FakeGateway } from './testing/fake-gateway';
import { gatewayWith, profileAt, quick, TOKEN } from './testing/stage';

const delivery = (gateway: FakeGateway, more: object = {}) => ({
  profile: profileAt(gateway.url, more),
  text: 'Attempt 2 of 3: completed',
  idempotencyKey: 'muster:update:9',
  sourceSessionKey: '01KTESTRUN/s2',
});

const deliverWith = (limits: Partial<typeof quick> = {}, token: string | null = TOKEN) =>
  createDeliverToMain({ secret: () => token, clock: createClock(), limits: { ...quick, ...limits } });

describe('a text for the main session', () => {
  test('a text for the main session is taken once however often it is given, and says who sends it', async () => {
    const gateway = await gatewayWith({ plan: () => ({ steps: [{ wait: new Promise(() => {}) }] }) });
    const deliver = deliverWith();
    const taken = { ok: true, value: { runId: 'muster:update:9' } };
    expect(await deliver(delivery(gateway))).toEqual(taken);
    expect(await deliver(delivery(gateway))).toEqual(taken);
    expect(gateway.begun).toEqual(['muster:update:9']);
    expect(gateway.requests.find(({ method }) => method === 'agent')?.params).toEqual({
      sessionKey: 'agent:main:main',
      message: 'Attempt 2 of 3: completed',
      idempotencyKey: 'muster:update:9',
      deliver: false,
      inputProvenance: {
        kind: 'inter_session',
        sourceTool: 'muster',
        sourceSessionKey: '01KTESTRUN/s2',
      },
    });
  });

  test('a text for the main session comes after the one before it: not before that one has been worked in, unless it hangs', async () => {
    let release = (): void => undefined;
    const wait = new Promise<void>((resolve) => {
      release = resolve;
    });
    const gateway = await gatewayWith({ plan: () => ({ steps: [{ wait }] }) });
    const deliver = deliverWith({ waitMs: 60_000 });
    expect(await deliver(delivery(gateway))).toMatchObject({ ok: true });
    const next = deliver({ ...delivery(gateway), idempotencyKey: 'muster:update:10' });
    await expect.poll(() => gateway.requests.map(({ method }) => method)).toContain('agent.wait');
    expect(gateway.begun).toEqual(['muster:update:9']);
    release();
    expect(await next).toMatchObject({ ok: true });
    expect(gateway.begun).toEqual(['muster:update:9', 'muster:update:10']);

    const hangs = await gatewayWith({ plan: () => ({ steps: [{ wait: new Promise(() => {}) }] }) });
    const soon = deliverWith({ waitMs: 20 });
    await soon(delivery(hangs));
    expect(await soon({ ...delivery(hangs), idempotencyKey: 'muster:update:10' })).toMatchObject({
      ok: true,
    });
  });

  test('a text goes to the main session of the agent that the profile names', async () => {
    const gateway = await gatewayWith();
    expect(await deliverWith()(delivery(gateway, { agent_id: 'ops' }))).toMatchObject({ ok: true });
    expect(gateway.requests.at(-1)?.params.sessionKey).toBe('agent:ops:main');
  });

  test('a text is tried again where the gateway is away, starting or silent, or does not know the token yet', async () => {
    const retryable = { ok: false, error: { retryable: true } };
    const gateway = await gatewayWith({ starting: 1 });
    expect(await deliverWith()(delivery(gateway))).toMatchObject({
      ok: false,
      error: { retryable: true, afterMs: 5, error: { code: 'agent.start_failed' } },
    });
    expect(await deliverWith({}, 'wrong')(delivery(gateway))).toMatchObject(retryable);
    expect(await deliverWith({}, null)(delivery(gateway))).toMatchObject(retryable);
    await gateway.close();
    expect(await deliverWith()(delivery(gateway))).toMatchObject(retryable);
    await gateway.listen();
    const mute = await gatewayWith({ babble: [] });
    expect(await deliverWith({ connectMs: 20 })(delivery(mute))).toMatchObject(retryable);
  });

  test('a text is not tried again where that changes nothing', async () => {
    const gateway = await gatewayWith({ protocol: 5 });
    const never = { ok: false, error: { retryable: false } };
    expect(await deliverWith()(delivery(gateway))).toMatchObject(never);
    expect(
      await deliverWith()({ ...delivery(gateway), profile: profileAt('ws://far.example') }),
    ).toMatchObject(never);
  });
});

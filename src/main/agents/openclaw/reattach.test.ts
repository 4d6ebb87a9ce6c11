import { describe, expect, test } from 'vitest';
import type { Plan } from './testing/plan';
import { ask, asked, gatewayWith, noticesOf, promised, session, textOf } from './testing/stage';

describe('a lost socket', () => {
  test('a lost socket in mid-turn does not end the turn: the same run goes on over another one', async () => {
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

  test('a long answer is whole although the end has only its beginning', async () => {
    const long = 'word '.repeat(4000);
    const gateway = await gatewayWith({
      plan: () => ({ steps: [{ drop: true }, { say: long }], mute: true }),
    });
    const { session: claw, items } = await session(gateway);
    expect((await ask(claw, 'x')).response).toBe(long);
    expect(textOf(items)).toBe(long);
  });

  test('a turn whose socket is lost before the gateway took it is sent again, under the same key', async () => {
    const gateway = await gatewayWith();
    const { session: claw } = await session(gateway);
    gateway.drop();
    expect(await ask(claw, 'x')).toMatchObject({ outcome: 'completed', response: 'You said: x' });
    expect(gateway.begun).toEqual(['muster:01KTESTRUN/s1/t1']);
  });

  test('a lost socket that swallowed the gateway’s confirmation does not run the turn twice', async () => {
    const gateway = await gatewayWith({ loseAcks: 1 });
    const { session: claw } = await session(gateway);
    expect(await ask(claw, 'x')).toMatchObject({ outcome: 'completed', response: 'You said: x' });
    expect(gateway.begun).toHaveLength(1);
    expect(gateway.connections).toBe(2);
  });

  test('a lost socket and an expired token end the turn with what to do', async () => {
    const gateway = await gatewayWith({ plan: () => ({ steps: [{ wait: new Promise(() => {}) }] }) });
    const { session: claw } = await session(gateway);
    const result = ask(claw, 'x');
    await asked(gateway, 'agent');
    gateway.options.refuse = {
      code: 'INVALID_REQUEST',
      message: 'unauthorized: gateway token mismatch',
      details: { code: 'AUTH_TOKEN_MISMATCH' },
    };
    gateway.drop();
    expect(await result).toMatchObject({ outcome: 'failed', error: { code: 'agent.auth_required' } });
  });

  test('a socket that is lost again and again, whenever the turn is sent, ends it', async () => {
    const gateway = await gatewayWith({ dropsTurns: true });
    const { session: claw } = await session(gateway, { limits: { mostLosses: 3 } });
    expect(await ask(claw, 'x')).toMatchObject({
      outcome: 'failed',
      error: { code: 'agent.crashed', message: expect.stringContaining('4 times in a row') },
    });
    expect(gateway.begun).toEqual([]);
  });

  test('a lost socket is repaired while the gateway is away for a while', async () => {
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

  test('a gateway that stays away ends the turn, and the error names its run', async () => {
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

  test('a restart of the gateway does not run the turn again', async () => {
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

  test('a socket that is lost between turns costs nothing', async () => {
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

  test('a cancel ends the run at the gateway', async () => {
    const gateway = await gatewayWith({ plan: hanging });
    const { session: claw } = await session(gateway);
    const result = ask(claw, 'x');
    await asked(gateway, 'agent');
    await claw.cancel();
    expect(await result).toMatchObject({ outcome: 'cancelled', response: 'Half', error: null });
    expect([...gateway.runs.values()].map((run) => run.wait?.stopReason)).toEqual(['rpc']);
  });

  test('a cancel reaches a run that was begun over another socket, since it is the same device', async () => {
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

  test('a cancel that the gateway refuses ends the turn all the same, and says so', async () => {
    // Without a token there is no device, so the client is not recognised.
    const gateway = await gatewayWith({ plan: hanging, token: undefined });
    const { session: claw, items } = await session(gateway, { profile: { api_key_secret: undefined } });
    const result = ask(claw, 'x');
    await asked(gateway, 'agent');
    gateway.drop();
    await asked(gateway, 'agent.wait');
    await claw.cancel();
    expect(await result).toMatchObject({ outcome: 'cancelled' });
    expect(noticesOf(items)).toEqual([expect.stringContaining('refuses to end the run')]);
  });

  test('a cancel that the gateway does not heed ends the turn after a while', async () => {
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

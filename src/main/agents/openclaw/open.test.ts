import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ask, asked, gatewayWith, open, session, TOKEN } from './testing/stage';

describe('opening a session', () => {
  test('a session waits for a gateway that is starting', async () => {
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
  ])('a gateway with %s is refused, with what to do', async (...[, options, code, mend]) => {
    const gateway = await gatewayWith(options);
    const { result } = await open(gateway.url);
    expect(result).toMatchObject({ ok: false, error: { code, mend: expect.stringContaining(mend) } });
    expect(JSON.stringify(result)).not.toContain(TOKEN);
    expect(gateway.connections).toBe(1);
  });

  test('an address where nothing listens is reported at once', async () => {
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

  test('a session needs its secret, and sends none over the net in the clear', async () => {
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

  test('a session shows the device whose key the profile names', async () => {
    const gateway = await gatewayWith();
    const { privateKey } = generateKeyPairSync('ed25519');
    const KEY_PEM = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const stage = { profile: { device_key_secret: 'KEY' }, secrets: { KEY: KEY_PEM } };
    await session(gateway, stage);
    await session(gateway);
    await session(gateway);
    const devices = gateway.requests
      .filter(({ method }) => method === 'connect')
      .map(({ params }) => z.object({ id: z.string() }).parse(params.device).id);
    // That of the key, and twice that of the token.
    expect(new Set(devices).size).toBe(2);
    expect(devices[1]).toBe(devices[2]);
  });

  test('a session takes up a conversation that the gateway still has', async () => {
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

  test('a session ends what an ended Muster left running there', async () => {
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

  test('a session says which parts of the profile the gateway decides itself', async () => {
    const gateway = await gatewayWith();
    const { session: claw } = await session(gateway, { spec: { model: 'opus' } });
    expect(claw.ready.notice).toContain('model opus is not used');
  });
});

import { describe, expect, test, vi } from 'vitest';
import { ask, asked, gatewayWith, KEY, noticesOf, promised, said, session, textOf } from './testing/stage';

describe('a turn', () => {
  test('a turn streams what the agent says, thinks and does, and ends with its text, tokens and cost', async () => {
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
      toolCalls: 'before',
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

  test('a turn shows words before a tool once, whichever way they come', async () => {
    const gateway = await gatewayWith({
      plan: () => ({
        steps: [{ say: 'I look.' }, { preamble: 'I look.' }, { preamble: 'Closely.' }, { say: ' Seen.' }],
      }),
    });
    const { session: claw, items } = await session(gateway);
    expect(await ask(claw, 'x')).toMatchObject({ response: 'I look. Seen.' });
    expect(items.filter((item) => item.type !== 'usage')).toEqual([
      { type: 'text', text: 'I look.' },
      { type: 'thought', text: 'Closely.' },
      { type: 'text', text: ' Seen.' },
    ]);
  });

  test('a turn names its session, its run and where it comes from', async () => {
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

  test('a turn can be of the main session, or of another agent', async () => {
    const gateway = await gatewayWith();
    const { session: main } = await session(gateway, { profile: { session_key: 'main' } });
    expect(main.ready.providerSessionId).toBe('agent:main:main');
    const { session: other } = await session(gateway, { profile: { agent_id: 'ops', session_key: 'night' } });
    expect(other.ready.providerSessionId).toBe('agent:ops:night:01ktestrun/s1');
  });

  test('a turn gives attachments: texts in the prompt, images beside it', async () => {
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

  test('a turn that the gateway tries again begins its text again, and says so', async () => {
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

  test('a turn whose answer is cut off, empty or refused is not completed', async () => {
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
    ['overloaded', 'limit', 'agent.overloaded'],
    ['billing', 'limit', 'agent.quota'],
    ['auth', 'failed', 'agent.auth_required'],
    ['format', 'failed', 'agent.failed'],
  ])('a turn that failed for %s ends as %s', async (reason, outcome, code) => {
    const gateway = await gatewayWith({
      plan: () => ({ steps: [], fail: { message: 'the model said no', reason } }),
    });
    const { session: claw } = await session(gateway);
    expect(await ask(claw, 'x')).toMatchObject({ outcome, stopReason: reason, error: { code } });
  });

  test('a turn ends by its run where the last answer never comes', async () => {
    const gateway = await gatewayWith({ plan: () => ({ ...said('Done.'), mute: true }) });
    const { session: claw } = await session(gateway);
    expect(await ask(claw, 'x')).toMatchObject({
      outcome: 'completed',
      response: 'Done.',
      usage: { total_tokens: 120, cost_usd: 0.001 },
    });
  });

  test('a turn hears only its own run among a flood of others, and outlives garbage', async () => {
    const gate = promised();
    const gateway = await gatewayWith({
      plan: () => ({ steps: [{ say: 'Mine' }, { wait: gate.given }, { say: ' alone.' }] }),
    });
    const { session: claw, items } = await session(gateway);
    const result = ask(claw, 'x');
    await asked(gateway, 'agent');
    const other = { runId: 'another', sessionKey: 'agent:main:main', seq: 1 };
    const told = { stream: 'assistant', data: { text: 'no', delta: 'no', itemId: 'another' }, ts: 1 };
    for (let count = 0; count < 1000; count += 1) {
      gateway.event('chat', { ...other, state: 'delta', deltaText: 'no' });
      gateway.event('agent', { ...other, ...told });
    }
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

  test('a turn larger than the gateway takes is not sent', async () => {
    const gateway = await gatewayWith({ maxPayload: 5000 });
    const { session: claw } = await session(gateway);
    expect(await ask(claw, 'x'.repeat(6000), 1)).toMatchObject({
      outcome: 'failed',
      error: { code: 'input.invalid' },
    });
    expect(await ask(claw, 'x', 2)).toMatchObject({ outcome: 'completed' });
    expect(gateway.connections).toBe(1);
  });

  test('a session of OpenClaw has one turn at a time', async () => {
    const gate = promised();
    const gateway = await gatewayWith({ plan: () => ({ steps: [{ wait: gate.given }, { say: 'ok' }] }) });
    const { session: claw } = await session(gateway);
    const first = ask(claw, 'x', 1);
    expect(await ask(claw, 'y', 2)).toMatchObject({ outcome: 'failed', error: { code: 'conflict' } });
    gate.give();
    expect(await first).toMatchObject({ outcome: 'completed' });
  });

  test('a turn that gives no sign of life for long enough is brought to the operator, who ends it', async () => {
    const gateway = await gatewayWith({ plan: () => ({ steps: [{ wait: new Promise(() => {}) }] }) });
    const { session: claw, observed } = await session(gateway, { profile: { silence_minutes: 0.0005 } });
    const end = ask(claw, 'x');
    await vi.waitFor(() => expect(observed.at(-1)).toMatchObject({ state: 'stalled' }));
    await claw.cancel();
    expect(await end).toMatchObject({ outcome: 'cancelled' });
    expect(gateway.requests.at(-1)?.method).toBe('chat.abort');
  });
});

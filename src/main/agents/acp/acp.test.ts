import { describe, expect, test } from 'vitest';
import { prompt, until, World } from '../scripted/testing/world';
import { fake, fakeAgent } from './testing/fake-agent';

describe('the start of an agent', () => {
  test('the error for a missing program says how to install it', async () => {
    const world = new World();
    expect(await world.tryCommand('no-such-agent', [])).toMatchObject({
      ok: false,
      error: { code: 'agent.not_installed', message: expect.stringContaining('no-such-agent') },
    });
  });

  test.each([
    ['a program that is no agent', 'true', [], 'agent.start_failed', 'exited with code 0'],
    ['a program that fails', 'sh', ['-c', 'echo boom >&2; exit 9'], 'agent.start_failed', 'boom'],
  ])('the start of %s is reported with its last words', async (...[, command, args, code, words]) => {
    const world = new World();
    const opened = await world.tryCommand(command, args);
    expect(opened).toMatchObject({ ok: false, error: { code } });
    expect(JSON.stringify(opened)).toContain(words);
  });

  test.each([
    ['{ initialize: () => ({ protocolVersion: 2 }) }', 'agent.start_failed', 'speaks version 2'],
    ["{ 'session/new': () => ({ sessionId: 7 }) }", 'agent.protocol', 'session/new is malformed: sessionId'],
    [
      "{ 'session/new': () => { throw Object.assign(new Error('who?'), { code: -32000 }) } }",
      'agent.auth_required',
      'who?',
    ],
  ])('an agent that starts with %s is refused', async (handlers, code, words) => {
    const world = new World();
    const opened = await world.tryCommand(process.execPath, fakeAgent(handlers));
    expect(opened).toMatchObject({ ok: false, error: { code } });
    expect(JSON.stringify(opened)).toContain(words);
  });

  test('the error for a missing login gives the exact login command, of the profile, else of the agent', async () => {
    const handlers = `{
      initialize: () => ({ protocolVersion: 1, authMethods: [{ type: 'terminal', id: 't', name: 'T', args: ['login'] }] }),
      'session/new': () => { throw Object.assign(new Error('Authentication required'), { code: -32000 }) },
    }`;
    const world = new World();
    const args = fakeAgent(handlers);
    expect(await world.tryCommand(process.execPath, args)).toMatchObject({
      error: { mend: `Log in with: ${process.execPath} login` },
    });
    const profile = { login_command: 'codex login' };
    expect(await world.tryCommand(process.execPath, args, { profile })).toMatchObject({
      error: { mend: 'Log in with: codex login' },
    });
  });

  test('mode and model are set at the start, and an unknown mode is an error, an unknown model a notice', async () => {
    const handlers = `{
      'session/new': () => ({ sessionId: 'S', modes: { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }, { id: 'b', name: 'B' }] },
        models: { currentModelId: 'm1', availableModels: [{ modelId: 'm1', name: 'M1' }] } }),
      'session/set_mode': ({ modeId }) => { if (modeId !== 'b') throw new Error('no'); return {}; },
    }`;
    const world = new World();
    const session = await fake(world, handlers, { spec: { mode: 'b', model: 'm2' } });
    expect(session.ready.notice).toBe('The model m2 could not be set; it offers m1. The agent uses its own.');
    const refused = await world.tryCommand(process.execPath, fakeAgent(handlers), { spec: { mode: 'c' } });
    expect(refused).toMatchObject({ ok: false, error: { code: 'agent.start_failed' } });
    expect(JSON.stringify(refused)).toContain('has no mode c; it has a, b');
  });

  test('MCP servers are handed on with the whole path of their command', async () => {
    const world = new World();
    const session = await fake(
      world,
      "{ 'session/new': (p) => { handlers.asked = p; return { sessionId: 'S' } }, 'session/prompt': () => { text(JSON.stringify(handlers.asked)); return { stopReason: 'end_turn' } } }",
      {
        profile: { mcp_servers: [{ name: 'probe', command: 'sh', args: ['x'], env: { A: '1' } }] },
      },
    );
    const { response } = await session.turn(prompt('x'));
    const mcpServers = [
      { name: 'probe', command: '/usr/bin/sh', args: ['x'], env: [{ name: 'A', value: '1' }] },
    ];
    expect(JSON.parse(response)).toEqual({ cwd: world.cwd, mcpServers });
  });
});

describe('a turn', () => {
  test('a turn fails where the reply has not the shape of the protocol', async () => {
    const world = new World();
    const session = await fake(world, "{ 'session/prompt': () => ({ stop: 'end' }) }");
    expect(await session.turn(prompt('x'))).toMatchObject({
      outcome: 'failed',
      error: { code: 'agent.protocol' },
    });
  });

  test('a turn takes every update before the reply, of this session only, and ignores those of unknown kinds', async () => {
    const world = new World();
    const session = await fake(
      world,
      `{ 'session/prompt': () => {
      for (let i = 0; i < 500; i += 1) text('x');
      tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'other' } }, 'T');
      tell({ sessionUpdate: 'quantum_update', state: 'both' });
      text('second', { messageId: 'b' });
      text('end', { messageId: 'b' });
      return { stopReason: 'end_turn' };
    } }`,
    );
    const { response } = await session.turn(prompt('x'));
    expect(response).toBe(`${'x'.repeat(500)}secondend`);
    expect(world.listener.text('notice')).toBe('');
  });

  test('a turn reports its own cost, not that of the session', async () => {
    const world = new World();
    const session = await fake(
      world,
      `{ n: 0, 'session/prompt': () => {
      handlers.n += 1;
      tell({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: handlers.n * handlers.n, currency: 'USD' } });
      return { stopReason: 'end_turn', _meta: { quota: { token_count: { input_tokens: 3, output_tokens: 4 } } } };
    } }`,
    );
    const tokens = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
    expect((await session.turn(prompt('x'))).usage).toEqual({ ...tokens, cost_usd: 1 });
    expect((await session.turn(prompt('x'))).usage).toEqual({ ...tokens, cost_usd: 3 });
  });

  test.each([
    ['Invalid API key · Please run /login', 'failed', 'agent.key_refused', null],
    ['Claude AI usage limit reached|1893456000', 'limit', 'agent.limit', 1893456000000],
  ])(
    'a turn that ends with "%s" is recognized as a failure',
    async (...[sentence, outcome, code, limitResetsAt]) => {
      const world = new World();
      const session = await fake(
        world,
        `{ 'session/prompt': () => { text(${JSON.stringify(sentence)}); return { stopReason: 'end_turn' } } }`,
      );
      expect(await session.turn(prompt('x'))).toMatchObject({ outcome, limitResetsAt, error: { code } });
    },
  );

  test.each([
    "Object.assign(new Error('Authentication required'), { code: -32000 })",
    "new Error('Your access token could not be refreshed. Please log out and sign in again.')",
  ])('a turn that loses its login says how to log in: %s', async (thrown) => {
    const world = new World();
    const session = await fake(world, `{ 'session/prompt': () => { throw ${thrown} } }`, {
      profile: { login_command: 'fake login' },
    });
    expect(await session.turn(prompt('x'))).toMatchObject({
      error: { code: 'agent.auth_required', mend: 'Log in with: fake login' },
    });
  });

  test('a turn keeps errors without their secrets', async () => {
    const world = new World();
    const session = await fake(
      world,
      "{ 'session/prompt': () => { throw new Error('bad key ' + process.env.THE_KEY) } }",
      {
        profile: { secrets: ['THE_KEY'] },
        spec: { env: { THE_KEY: 'sk-very-secret' } },
      },
    );
    const result = await session.turn(prompt('x'));
    expect(result.error?.message).toContain('bad key ***');
    expect(JSON.stringify(result)).not.toContain('very-secret');
  });

  test('a session has one turn at a time', async () => {
    const world = new World();
    const session = await world.open('{ turns: [{ do: [{ wait_for_file: go }] }] }');
    const first = session.turn(prompt('x'));
    expect(await session.turn(prompt('y'))).toMatchObject({ outcome: 'failed', error: { code: 'conflict' } });
    world.touch('go');
    expect((await first).outcome).toBe('completed');
  });

  test('a turn is cancelled when its session is parked', async () => {
    const world = new World();
    const session = await world.open(
      '{ turns: [{ do: [{ say: on }, { run: { command: sleep 91, via: terminal } }] }] }',
    );
    const turn = session.turn(prompt('x'));
    await until(() => world.listener.tools.length > 0);
    await session.park();
    expect(await turn).toMatchObject({ outcome: 'cancelled', stopReason: 'parked', response: 'on' });
    expect(world.listener.tools).toMatchObject([{ status: 'failed' }]);
    expect(world.listener.losses).toEqual([]);
  });
});

describe('permissions', () => {
  const writing = (more = '') =>
    `{ default: { do: [{ write: { path: a.txt, content: hello, ask: true ${more} } }], text: done } }`;

  test('a permission request shows the operator all there is to decide on, and hands the answer on', async () => {
    const world = new World();
    const session = await world.open(writing());
    await session.turn(prompt('x'));
    expect(world.read('a.txt')).toBe('hello');
    const path = `${world.cwd}/a.txt`;
    expect(world.listener.asked).toEqual([
      {
        tool: 'edit',
        title: 'Write a.txt',
        kind: 'edit',
        input: { path, content: 'hello' },
        diffs: [{ path, oldText: null, newText: 'hello' }],
        paths: [path],
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  test('a permission request hands a refusal on', async () => {
    const world = new World();
    world.listener.answer = async () => ({ allow: false, always: false, reason: 'no' });
    const session = await world.open(writing(', if_rejected: then not'));
    expect((await session.turn(prompt('x'))).response).toBe('then not');
    expect(world.listener.tools).toMatchObject([{ status: 'failed', output: 'Not allowed.' }]);
    expect(() => world.read('a.txt')).toThrow();
  });

  test('a permission request is asked once where the answer was always', async () => {
    const world = new World();
    world.listener.answer = async () => ({ allow: true, always: true, reason: null });
    const session = await world.open('{ default: { do: [{ ask: { title: Push, kind: other } }] } }');
    await session.turn(prompt('x'));
    await session.turn(prompt('y'));
    expect(world.listener.asked).toHaveLength(1);
  });

  test('a permission request has the same hash in another process, and another input has another one', async () => {
    const hashes = async (input: string) => {
      const world = new World();
      const session = await world.open(
        `{ default: { do: [{ ask: { title: Push, kind: execute, input: ${input} } }] } }`,
      );
      await session.turn(prompt('x'));
      return world.listener.asked.map((request) => request.hash);
    };
    const [first] = await hashes('{ command: git push, call_id: "1", id: 5 }');
    expect(await hashes('{ id: 5, callId: "2", command: git push }')).toEqual([first]);
    expect(await hashes('{ command: git push, id: 6 }')).not.toEqual([first]);
  });

  test('a permission request is answered by the profile where that decides', async () => {
    const script = `{ default: { do: [
      { write: { path: a.txt, content: x, ask: true } }, { run: { command: 'true', ask: true } } ], text: done } }`;
    const asked = async (permissions: string, spec = {}) => {
      const world = new World();
      const session = await world.open(script, { profile: { permissions }, spec: { ...spec } });
      await session.turn(prompt('x'));
      return [
        world.listener.asked.map((request) => request.kind),
        world.listener.tools.map((tool) => tool.status),
      ];
    };
    const done = ['completed', 'completed'];
    expect(await asked('ask')).toEqual([['edit', 'execute'], done]);
    expect(await asked('allow_edits')).toEqual([['execute'], done]);
    expect(await asked('allow_all')).toEqual([[], done]);
    expect(await asked('deny')).toEqual([[], ['failed', 'failed']]);
  });

  test.each([
    { permissions: 'allow_edits', read_only: false, asked: ['/etc/passwd', 'nothing'], outcome: 'selected' },
    { permissions: 'allow_all', read_only: false, asked: [], outcome: 'selected' },
    { permissions: 'deny', read_only: false, asked: [], outcome: 'cancelled' },
    { permissions: 'allow_edits', read_only: true, asked: [], outcome: 'cancelled' },
  ])(
    'with $permissions (read-only: $read_only) edits outside of the workspace or without a path ask about $asked',
    async ({ permissions, read_only, asked, outcome }) => {
      const world = new World();
      const session = await fake(
        world,
        `{ 'session/prompt': async () => {
        const leave = (title, locations) => ask('session/request_permission', {
          toolCall: { toolCallId: title, title, kind: 'edit', locations },
          options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
        });
        const answers = [await leave('inside', [{ path: '${world.cwd}/a.txt' }])];
        answers.push(await leave('/etc/passwd', [{ path: '/etc/passwd' }]), await leave('nothing', []));
        text(answers.map((answer) => answer.outcome.outcome).join(' '));
        return { stopReason: 'end_turn' };
      } }`,
        { profile: { permissions, read_only } },
      );
      const { response } = await session.turn(prompt('x'));
      expect(world.listener.asked.map(({ title }) => title)).toEqual(asked);
      expect(response).toBe([outcome, outcome, outcome].join(' '));
    },
  );

  test('a read-only agent is allowed to change nothing', async () => {
    const world = new World();
    const session = await world.open(writing(), { profile: { read_only: true, permissions: 'allow_all' } });
    await session.turn(prompt('x'));
    expect(world.listener.tools).toMatchObject([{ status: 'failed' }]);
  });

  test("every write in the operator's own checkout is asked about, once", async () => {
    const world = new World();
    const spec = { cwd: world.project };
    const script = `{ default: { do: [
      { write: { path: a.txt, content: x } },
      { write: { path: b.txt, content: x, ask: true } },
      { run: { command: echo ran, via: terminal } } ] } }`;
    const session = await world.open(script, { profile: { permissions: 'allow_all' }, spec });
    await session.turn(prompt('x'));
    expect(world.listener.asked.map((request) => [request.tool, request.command])).toEqual([
      ['fs/write_text_file', undefined],
      ['edit', undefined],
      ['terminal/create', 'echo ran'],
    ]);
    world.listener.answer = async () => ({ allow: false, always: false, reason: 'not there' });
    await session.turn(prompt('y'));
    expect(world.listener.tools.slice(-3)).toMatchObject([
      { status: 'failed', output: expect.stringContaining('not there') },
      { status: 'failed' },
      { status: 'failed' },
    ]);
  });

  test('a permission request is withdrawn when the turn is cancelled while it waits', async () => {
    const world = new World();
    world.listener.answer = () => new Promise(() => {});
    const session = await world.open(writing());
    const turn = session.turn(prompt('x'));
    await until(() => world.listener.asked.length === 1);
    await session.cancel();
    expect(await turn).toMatchObject({ outcome: 'cancelled', stopReason: 'cancelled' });
    expect(() => world.read('a.txt')).toThrow();
  });

  test('a permission request that waits for the operator does not count as silence', async () => {
    const world = new World();
    world.listener.answer = () =>
      new Promise((resolve) => setTimeout(() => resolve({ allow: true, always: false, reason: null }), 500));
    const session = await world.open(writing(), { profile: { silence_minutes: 0.004 } });
    expect(await session.turn(prompt('x'))).toMatchObject({ outcome: 'completed' });
  });
});

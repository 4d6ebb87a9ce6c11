import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { allProcesses, findMarked } from '../../adapters/process/table/process-table';
import { agentBundle, prompt, until, World } from './testing/world';

beforeAll(agentBundle, 60_000);

const broughtAlong = readdirSync(join('resources', 'scripts'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace('.yaml', ''));

describe('a scripted agent', () => {
  test('a scripted agent replies by turn, by pattern and by default, and writes down its prompts', async () => {
    const world = new World();
    const session = await world.open(`
turns:
  - Turn {{turn}} to "{{prompt}}"
  - text: "After: {{previous}}"
match:
  - when: 'the word (\\w+)'
    reply: The word was {{1}}.
default: Nothing left for turn {{turn}}. {{unknown}}
`);
    expect(session.ready).toMatchObject({
      agent: 'Script',
      fresh: true,
      notice: null,
      capabilities: { resume: true, cancel: true, permissions: true, images: true, embeddedFiles: true },
    });
    const first = await session.turn(prompt('one {{turn}}'));
    expect(first).toEqual({
      outcome: 'completed',
      stopReason: 'end_turn',
      response: 'Turn 1 to "one {{turn}}"',
      toolCalls: 'none',
      usage: null,
      error: null,
      limitResetsAt: null,
    });
    expect((await session.turn(prompt('two'))).response).toBe('After: Turn 1 to "one {{turn}}"');
    expect((await session.turn(prompt('now the word owl'))).response).toBe('The word was owl.');
    expect((await session.turn(prompt('four'))).response).toBe('Nothing left for turn 4. {{unknown}}');
    await session.close();
    const id = session.ready.providerSessionId;
    expect(world.records()).toMatchObject([
      { session: id, turn: 1, prompt: 'one {{turn}}', attachments: [], cwd: world.cwd },
      { session: id, turn: 2, prompt: 'two' },
      { session: id, turn: 3, prompt: 'now the word owl' },
      { session: id, turn: 4, prompt: 'four' },
    ]);
    expect(world.listener.losses).toEqual([]);
  });

  test('a scripted agent streams thoughts, a plan, tools and texts, merged and in order, with usage', async () => {
    const world = new World();
    world.touch('notes.txt', 'old words');
    const session = await world.open(`
turns:
  - think: Let me see.
    plan: [{ content: Read, status: completed }, { content: Write, priority: high }]
    do:
      - say: First I read.
      - read: { path: notes.txt }
      - edit: { path: notes.txt, find: old, replace: new }
      - write: { path: sub/made.txt, content: "made by turn {{turn}}\\n" }
      - run: { command: cat sub/made.txt }
      - run: { command: "echo in a terminal; exit 3", via: terminal }
    text: Done.
    stream: { chunk: 3 }
    usage: { input_tokens: 10, output_tokens: 5, cost_usd: 0.25 }
`);
    const result = await session.turn(prompt('go'));
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15, cost_usd: 0.25 };
    expect([result.outcome, result.response, result.usage]).toEqual(['completed', 'Done.', usage]);
    expect([world.read('notes.txt'), world.read('sub/made.txt')]).toEqual(['new words', 'made by turn 1\n']);
    const { listener } = world;
    expect(listener.text('thought')).toBe('Let me see.');
    expect(listener.all).toContainEqual({
      type: 'plan',
      entries: [
        { content: 'Read', status: 'completed', priority: 'medium' },
        { content: 'Write', status: 'pending', priority: 'high' },
      ],
    });
    expect(listener.tools).toMatchObject([
      { title: 'Read notes.txt', kind: 'read', status: 'completed', output: 'old words' },
      { kind: 'edit', status: 'completed', diffs: [{ oldText: 'old words', newText: 'new words' }] },
      {
        kind: 'edit',
        diffs: [{ oldText: null, newText: 'made by turn 1\n' }],
        locations: [join(world.cwd, 'sub/made.txt')],
      },
      {
        kind: 'execute',
        status: 'completed',
        input: { command: 'cat sub/made.txt' },
        output: 'made by turn 1\n',
      },
      { kind: 'execute', status: 'failed', output: 'in a terminal\n\n(exit code 3)' },
    ]);
    expect(listener.all.at(-1)).toEqual({ type: 'usage', usage });
    // 3 characters at a time, yet passed on in a few pieces.
    expect(listener.batches.length).toBeLessThan(12);
  });

  test('a scripted agent takes mode and model, and gives an attachment in the form that suits it', async () => {
    const world = new World();
    const session = await world.open(
      '{ modes: [ask, plan], models: [small, large], default: "{{mode}} {{model}}: {{attachments}}" }',
      {
        spec: { mode: 'plan', model: 'large' },
      },
    );
    const attachments = [
      { name: 'a.md', mime: 'text/markdown', text: '# a' },
      { name: 'b.png', mime: 'image/png', text: 'x' },
      { name: 'c.bin', mime: 'application/zip', text: 'x' },
    ].map(({ name, mime, text }) => {
      writeFileSync(join(world.project, name), text);
      return { path: join(world.project, name), name, mime, bytes: text.length };
    });
    const result = await session.turn(prompt('look', { attachments }));
    expect(result.response).toBe('plan large: a.md, b.png, c.bin');
    expect(world.records()[0]).toMatchObject({
      attachments: [
        { type: 'resource', name: 'a.md' },
        { type: 'image', name: 'b.png' },
        { type: 'resource_link', name: 'c.bin' },
      ],
    });
  });

  test('a scripted agent takes up its session in a new process', async () => {
    const world = new World();
    const script = 'default: "turn {{turn}} after <{{previous}}>"';
    const first = await world.open(script);
    await first.turn(prompt('one'));
    await first.park();
    const resume = { providerSessionId: first.ready.providerSessionId, turns: [] };
    const second = await world.open(script, { spec: { resume } });
    expect(second.ready).toMatchObject({ fresh: false, notice: null });
    expect((await second.turn(prompt('two'))).response).toBe('turn 2 after <turn 1 after <>>');
    // The replay is history: none of its items is passed on again.
    expect(world.listener.text('text')).toBe('turn 1 after <>turn 2 after <turn 1 after <>>');
  });

  test.each([
    ['cannot load', '{ capabilities: { load: false } }', 'cannot resume an earlier one'],
    ['does not know the session', '{}', 'could not be loaded'],
  ])(
    'a scripted agent says that it begins a new conversation because it %s',
    async (_what, script, words) => {
      const world = new World();
      const session = await world.open(script, {
        spec: { resume: { providerSessionId: 'gone', turns: [] } },
      });
      expect(session.ready.fresh).toBe(true);
      expect(session.ready.notice).toContain(words);
      expect((await session.turn(prompt('x'))).response).toBe('The script has no reply for turn 1.');
    },
  );

  test('a fault in a script is reported with file, line and place', async () => {
    const world = new World();
    const broken = await world.tryOpen('turns:\n  - text: hi\n    do:\n      - wriet: { path: x }\n');
    expect(broken).toMatchObject({ ok: false, error: { code: 'agent.start_failed' } });
    expect(JSON.stringify(broken)).toContain('script.yaml:4: turns.0.do.0');
    const yaml = await world.tryOpen('turns: [\n');
    expect(JSON.stringify(yaml)).toMatch(/script\.yaml:\d+: /);
    const missing = await world.tryOpen('{}', { profile: { script: 'nowhere.yaml' } });
    expect(missing).toMatchObject({ ok: false, error: { code: 'validation.file_missing' } });
  });

  const mine = async () => {
    const zombies = new Set((await allProcesses()).filter((row) => row.zombie).map((row) => row.pid));
    const marked = await findMarked('MUSTER_INSTANCE', (value) => value.includes(`world-${process.pid}`));
    return marked.filter((entry) => !zombies.has(entry.pid));
  };

  test('a scripted agent leaves no process where it hangs at its start and is cancelled', async () => {
    const world = new World();
    let giveUp: () => void = () => undefined;
    const unwanted = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    const opened = world.tryOpen('{ open: { hang: true } }', { spec: { unwanted } });
    await expect.poll(async () => (await mine()).length).toBeGreaterThanOrEqual(2);
    giveUp();
    expect(await opened).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(await mine()).toEqual([]);
  });

  test('a scripted agent leaves no process when it is closed', async () => {
    const world = new World();
    const session = await world.open('{}');
    expect((await mine()).length).toBeGreaterThanOrEqual(2);
    await session.close();
    expect(await mine()).toEqual([]);
    expect(await session.turn(prompt('x'))).toMatchObject({
      outcome: 'failed',
      error: { code: 'agent.crashed' },
    });
  });

  test.each(broughtAlong)('a built-in script, %s, is valid', async (name) => {
    const world = new World();
    const session = await world.open('{}', { profile: { script: name } });
    expect(session.ready.agent).toBe('Script');
    const result = await session.turn(prompt('Write about owls.'));
    expect(result).toMatchObject({ outcome: 'completed' });
    expect(result.response.length).toBeGreaterThan(10);
  });
});

describe('faults', () => {
  const shortly = { limits: { cancelMs: 300 } };

  test('a turn that hangs is cancelled', async () => {
    const world = new World();
    const session = await world.open(
      '{ turns: [{ text: never, do: [{ say: working }, { hang: {} }] }, again] }',
    );
    const turn = session.turn(prompt('x'));
    await until(() => world.listener.text('text') === 'working');
    await session.cancel();
    expect(await turn).toMatchObject({
      outcome: 'cancelled',
      stopReason: 'cancelled',
      response: 'working',
      error: null,
    });
    expect((await session.turn(prompt('y'))).response).toBe('again');
    expect(world.listener.losses).toEqual([]);
  });

  test('a turn that ignores the cancel is ended, with its group', async () => {
    const world = new World();
    const session = await world.open(
      '{ turns: [{ ignore_cancel: true, do: [{ say: on }, { hang: {} }] }] }',
      { acp: shortly },
    );
    const turn = session.turn(prompt('x'));
    await until(() => world.listener.text('text') === 'on');
    await session.cancel();
    expect(await turn).toMatchObject({ outcome: 'cancelled', response: 'on' });
    await until(() => world.listener.losses.length > 0);
    expect(await session.turn(prompt('y'))).toMatchObject({ error: { code: 'agent.crashed' } });
  });

  test('a command is ended by the cancel, with what it started', async () => {
    const world = new World();
    const session = await world.open('{ turns: [{ do: [{ run: { command: "sleep 93; sleep 94" } }] }] }');
    const turn = session.turn(prompt('x'));
    await until(() => world.listener.tools[0]?.status === 'in_progress');
    await session.cancel();
    expect(await turn).toMatchObject({ outcome: 'cancelled' });
    expect(world.listener.losses).toEqual([]);
  });

  test('silence beyond the limit asks the operator, who ends the turn', async () => {
    const world = new World();
    const session = await world.open('{ turns: [{ do: [{ hang: {} }] }] }', {
      profile: { silence_minutes: 0.003 },
      acp: shortly,
    });
    const turn = session.turn(prompt('x'));
    await until(() => world.listener.observations.at(-1)?.state === 'stalled');
    await session.cancel();
    expect(await turn).toMatchObject({ outcome: 'cancelled', error: null });
  });

  test.each([
    ['{ code: 3 }', 'exited with code 3'],
    ['{ signal: SIGKILL }', 'was ended by SIGKILL'],
  ])('a crash %s fails the turn, with its last words', async (crash, words) => {
    const world = new World();
    const session = await world.open(`{ turns: [{ do: [{ say: half a }, { crash: ${crash} }] }] }`);
    const result = await session.turn(prompt('x'));
    expect(result).toMatchObject({ outcome: 'failed', response: 'half a', error: { code: 'agent.crashed' } });
    expect(result.error?.message).toContain(words);
    expect(result.error?.message).toContain('The script says that the agent crashes here.');
    await until(() => world.listener.losses.length === 1);
  });

  test('a fault with times strikes only so often, over processes', async () => {
    const world = new World();
    const script = '{ turns: [{ text: fine, do: [{ crash: { times: 1 } }] }] }';
    const first = await world.open(script);
    expect((await first.turn(prompt('x'))).outcome).toBe('failed');
    const resume = { providerSessionId: first.ready.providerSessionId, turns: [] };
    const second = await world.open(script, { spec: { resume } });
    expect(await second.turn(prompt('x'))).toMatchObject({ outcome: 'completed', response: 'fine' });
  });

  test('garbage is counted, logged and survived', async () => {
    const world = new World();
    const session = await world.open(
      '{ turns: [{ do: [{ garbage: { lines: 12 } }, { garbage: { bytes: 3000 } }], text: fine }, again] }',
      {
        acp: { limits: { maxLineBytes: 2000 } },
      },
    );
    expect(await session.turn(prompt('x'))).toMatchObject({ outcome: 'completed', response: 'fine' });
    expect(world.listener.text('notice')).toBe('13 malformed messages of the agent were ignored.');
    expect(world.logged).toHaveLength(5);
    expect((await session.turn(prompt('y'))).response).toBe('again');
  });

  test('a flood is held back, kept whole on its way and cut in the response', async () => {
    const world = new World();
    const session = await world.open('{ turns: [{ do: [{ flood: { mb: 6 } }], text: end }] }', {
      acp: { limits: { mostResponse: 1_000_000 } },
    });
    const result = await session.turn(prompt('x'));
    expect(result).toMatchObject({ outcome: 'completed' });
    expect(result.response).toHaveLength(1_000_000);
    expect(world.listener.text('text').length).toBeGreaterThan(6 * 1024 * 1024);
    expect(world.listener.text('notice')).toContain('longer than 1000000 characters');
    const largest = Math.max(...world.listener.batches.map((batch) => JSON.stringify(batch).length));
    expect(largest).toBeLessThan(1024 * 1024);
  });

  test.each([
    ['stop: refusal', { outcome: 'refused', stopReason: 'refusal', error: { code: 'agent.refused' } }],
    ['stop: max_turn_requests', { outcome: 'max_requests', error: { code: 'agent.max_requests' } }],
    ['stop: max_tokens', { outcome: 'failed', stopReason: 'max_tokens', error: { code: 'agent.failed' } }],
    ['error: auth_required', { outcome: 'failed', error: { code: 'agent.auth_required' } }],
    ['error: { message: "boom" }', { outcome: 'failed', error: { code: 'agent.failed' } }],
    [
      'error: { limit: { resets_at: "2030-01-02T03:04:05Z" } }',
      { outcome: 'limit', limitResetsAt: Date.UTC(2030, 0, 2, 3, 4, 5), error: { code: 'agent.limit' } },
    ],
    ['error: { limit: {} }', { outcome: 'limit', limitResetsAt: null }],
  ])('a scripted turn ends with the fault %s', async (fault, result) => {
    const world = new World();
    const session = await world.open(`{ turns: [{ text: so far, ${fault} }, { text: again }] }`);
    expect(await session.turn(prompt('x'))).toMatchObject({ response: 'so far', ...result });
    await session.close();
  });

  test('a login that is missing once is there when the prompt is sent again, in another process too', async () => {
    const world = new World();
    const script = '{ default: { text: Done., error: { auth_required: { times: 1 } } } }';
    const session = await world.open(script);
    expect(await session.turn(prompt('x'))).toMatchObject({
      outcome: 'failed',
      error: { code: 'agent.auth_required', mend: expect.stringMatching(/^Log in /) },
    });
    await session.park();
    const again = await world.open(script);
    expect(await again.turn(prompt('x'))).toMatchObject({ outcome: 'completed', response: 'Done.' });
  });

  test.each([
    ['open: { hang: true }', 'agent.start_failed', 'not ready within 0.4 s'],
    ['open: { error: auth_required }', 'agent.auth_required', 'not logged in'],
    ['open: { crash: { code: 5, stderr: "no such model" } }', 'agent.start_failed', 'no such model'],
    [
      'open: { crash: { stderr: "Please run login first" } }',
      'agent.auth_required',
      'Please run login first',
    ],
  ])('a script with %s fails the start', async (fault, code, words) => {
    const world = new World();
    const startMs = fault.includes('hang') ? 400 : 10_000;
    const opened = await world.tryOpen(`{ ${fault} }`, { acp: { limits: { startMs } } });
    expect(opened).toMatchObject({ ok: false, error: { code } });
    expect(JSON.stringify(opened)).toContain(words);
  });

  test('a turn is held until a file appears', async () => {
    const world = new World();
    const session = await world.open('{ turns: [{ do: [{ wait_for_file: go.txt }], text: went }] }');
    const turn = session.turn(prompt('x'));
    await until(() => world.records().length === 1);
    world.touch('go.txt');
    expect((await turn).response).toBe('went');
  });

  test('a slow stream is handed over as it comes', async () => {
    const world = new World();
    const session = await world.open('{ turns: [{ text: abcdef, stream: { chunk: 1, delay_ms: 60 } }] }');
    expect((await session.turn(prompt('x'))).response).toBe('abcdef');
    expect(world.listener.batches.length).toBeGreaterThanOrEqual(3);
  });
});

test('the built-in scripts say what they are for', () => {
  for (const name of broughtAlong) {
    expect(readFileSync(join('resources', 'scripts', `${name}.yaml`), 'utf8')).toMatch(/^description: /);
  }
});

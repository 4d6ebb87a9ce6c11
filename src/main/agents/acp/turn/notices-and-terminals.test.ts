import { expect, test } from 'vitest';
import { prompt, World } from '../../scripted/testing/world';
import { fakeAgent } from '../testing/fake-agent';

async function turnOf(handlers: string) {
  const world = new World();
  const opened = await world.tryCommand(process.execPath, fakeAgent(handlers));
  if (!opened.ok) throw new Error(opened.error.message);
  return { world, result: await opened.value.turn(prompt('x')) };
}

test('an agent that can put warnings elsewhere than into its answer is trusted to do so', async () => {
  const { world, result } = await turnOf(`{
    initialize: ({ clientCapabilities }) => { handlers.client = clientCapabilities; return { protocolVersion: 1 } },
    'session/prompt': () => {
      if (handlers.client.session.notices) tell({ sessionUpdate: 'notice', severity: 'warning', title: 'Old model', description: 'It is slow.' });
      text('done');
      return { stopReason: 'end_turn' };
    },
  }`);
  expect(result.response).toBe('done');
  expect(world.listener.text('notice')).toBe('Old model: It is slow.');
});

test("the output of the agent's own terminal is shown once it is done", async () => {
  const { world } = await turnOf(`{ 'session/prompt': () => {
    const prints = (data, more) => tell({ sessionUpdate: 'tool_call_update', toolCallId: 'c', ...more,
      _meta: { terminal_output_delta: { data, terminal_id: 'c' } } });
    tell({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'make', kind: 'execute', status: 'in_progress',
      content: [{ type: 'terminal', terminalId: 'c' }] });
    for (let i = 0; i < 100; i += 1) prints('line ' + i + '\\n');
    prints('end', { status: 'completed', rawOutput: { exit_code: 0 } });
    return { stopReason: 'end_turn' };
  } }`);
  const output = `${Array.from({ length: 100 }, (_, i) => `line ${i}\n`).join('')}end`;
  expect(world.listener.tools).toMatchObject([{ status: 'completed', output }]);
  expect(world.listener.all.length).toBeLessThanOrEqual(2);
});

test.each([
  ['stream disconnected before completion\n\n', 'failed', 'agent.stream_broken'],
  ['exceeded retry limit, last status: 429 Too Many Requests', 'limit', 'agent.limit'],
])(
  'a turn counts as failed where Codex says so beside an `end_turn`: %s',
  async (...[words, outcome, code]) => {
    const { result } = await turnOf(`{ 'session/prompt': () => {
    const status = (type) => tell({ sessionUpdate: 'session_info_update', _meta: { codex: { threadStatus: { type } } } });
    status('active');
    text('Half an answ', { messageId: 'm' });
    status('systemError');
    text(${JSON.stringify(words)});
    tell({ sessionUpdate: 'session_info_update', title: 'A title' });
    return { stopReason: 'end_turn' };
  } }`);
    expect(result).toMatchObject({ outcome, response: 'Half an answ', error: { code } });
    expect(result.error?.message).toContain(words.trim());
  },
);

test('a turn counts as completed where Codex recovered from its failure', async () => {
  const { result } = await turnOf(`{ 'session/prompt': () => {
    const status = (type) => tell({ sessionUpdate: 'session_info_update', _meta: { codex: { threadStatus: { type } } } });
    status('systemError');
    status('active');
    text('Done.');
    return { stopReason: 'end_turn' };
  } }`);
  expect(result).toMatchObject({ outcome: 'completed', response: 'Done.' });
});

test('an agent that compacts its context says so, with its count of tokens', async () => {
  const world = new World();
  const handlers = `{
    turns: [[80000, 79000, 120000], [125000, 20000, 30000], [31000]],
    'session/prompt': () => {
      for (const used of handlers.turns.shift()) tell({ sessionUpdate: 'usage_update', used, size: 200000 });
      return { stopReason: 'end_turn' };
    },
  }`;
  const opened = await world.tryCommand(process.execPath, fakeAgent(handlers));
  if (!opened.ok) throw new Error(opened.error.message);
  const compacted: unknown[] = [];
  for (const text of ['one', 'two', 'three'])
    compacted.push((await opened.value.turn(prompt(text))).compacted);
  expect(compacted).toEqual([undefined, true, undefined]);
});

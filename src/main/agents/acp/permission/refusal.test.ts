import { expect, test } from 'vitest';
import type { PermissionAnswer } from '../../../core/ports/ports';
import { prompt, World } from '../../scripted/testing/world';
import { fakeAgent } from '../testing/fake-agent';

/**
 * Requests permission to write at its first prompts; `ends` is its behaviour after a refusal, like real
 * agents.
 */
const asker = (ends: string, asks = 1) => `{
  prompts: [], asked: 0, tokens: { usage: { inputTokens: 2, outputTokens: 1, totalTokens: 3 } },
  'session/prompt': async (params) => {
  handlers.prompts.push(params.prompt[0].text);
  if (handlers.asked >= ${asks}) { text(JSON.stringify(handlers.prompts.slice(1))); return { stopReason: 'end_turn', ...handlers.tokens } }
  handlers.asked += 1;
  text('I will write.');
  const toolCall = { toolCallId: 'c' + handlers.asked, title: 'Write a.txt', kind: 'edit' };
  tell({ sessionUpdate: 'tool_call', ...toolCall, status: 'pending' });
  const options = [{ optionId: 'no', name: 'No', kind: 'reject_once' }];
  await ask('session/request_permission', { toolCall, options });
  tell({ sessionUpdate: 'tool_call_update', toolCallId: toolCall.toolCallId, status: 'failed' });
  ${ends}
} }`;

const asCodex = "return { stopReason: 'cancelled', ...handlers.tokens };";
const asOpencode = "return { stopReason: 'end_turn', ...handlers.tokens };";
const asClaude = "text('All right.'); return { stopReason: 'end_turn', ...handlers.tokens };";

async function refused(handlers: string, reason: string | null) {
  const world = new World();
  world.listener.answer = async (): Promise<PermissionAnswer> => ({ allow: false, always: false, reason });
  const opened = await world.tryCommand(process.execPath, fakeAgent(handlers));
  if (!opened.ok) throw new Error(opened.error.message);
  const result = await opened.value.turn(prompt('x'));
  return { world, result, told: result.response.split('\n\n').at(-1) };
}

const told = (line: string) =>
  JSON.stringify([`The operator did not allow this:\n- ${line}\n\nGo on without it.`]);

test.each([
  ['ends the turn as cancelled', asCodex],
  ['ends the turn in silence', asOpencode],
  ['goes on', asClaude],
])('the reason of a refusal is told, in the same turn, to an agent that %s', async (...[, ends]) => {
  const { world, result, told: heard } = await refused(asker(ends), 'use b.txt');
  expect(heard).toBe(told('Write a.txt: use b.txt'));
  expect(result).toMatchObject({ outcome: 'completed', stopReason: 'end_turn' });
  expect(result.usage).toMatchObject({ input_tokens: 4, output_tokens: 2, total_tokens: 6 });
  expect(world.listener.text('notice')).toContain('Write a.txt: use b.txt');
});

test('an agent that stopped at a refusal is told to go on, and one that goes on by itself is left alone', async () => {
  expect((await refused(asker(asCodex), null)).told).toBe(told('Write a.txt'));
  expect((await refused(asker(asOpencode), null)).told).toBe(told('Write a.txt'));
  expect((await refused(asker(asClaude), null)).told).toBe('All right.');
});

test.each([
  ['as cancelled', asCodex, 'cancelled'],
  ['in silence', asOpencode, 'end_turn'],
])(
  'the turn of an agent that asks again and again and ends %s fails: no one cancelled it',
  async (...[, ends, stopReason]) => {
    const { world, result } = await refused(asker(ends, 99), 'use b.txt');
    expect(result).toMatchObject({
      outcome: 'failed',
      stopReason,
      error: {
        code: 'agent.not_allowed',
        message: expect.stringMatching(/denied permission 4 times.*Last denied: Write a.txt: use b.txt/),
      },
    });
    expect(world.listener.asked).toHaveLength(4);
  },
);

test('an agent that says nothing more once it was told to go on is believed', async () => {
  const { result } = await refused(asker(asOpencode).replace(/text\(JSON[^;]*; /, ''), 'use b.txt');
  expect(result).toMatchObject({ outcome: 'completed', error: null });
});

test('an agent that went on after its last refusal is believed', async () => {
  const { result } = await refused(asker(asClaude, 99), 'use b.txt');
  expect(result).toMatchObject({ outcome: 'completed', error: null });
});

test('a turn that no one cancelled does not count as cancelled', async () => {
  const { result } = await refused(`{ 'session/prompt': () => ({ stopReason: 'cancelled' }) }`, null);
  expect(result).toMatchObject({ outcome: 'failed', error: { code: 'agent.failed' } });
});

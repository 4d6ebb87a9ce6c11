import { expect, test } from 'vitest';
import { prompt, World } from '../../scripted/testing/world';
import { fakeAgent } from '../testing/fake-agent';

/**
 * The notices of a turn in which the agent does this, and answers 400 ms later; quiet is reported after 100
 * ms.
 */
async function noticesOf(first: string): Promise<string[]> {
  const world = new World();
  const handlers = `{ 'session/prompt': async () => {
    ${first}
    await new Promise((go) => setTimeout(go, 400));
    text('done');
    return { stopReason: 'end_turn' };
  } }`;
  const wish = { acp: { limits: { quietMs: 100 } } };
  const opened = await world.tryCommand(process.execPath, fakeAgent(handlers), wish);
  if (!opened.ok) throw new Error(opened.error.message);
  await opened.value.turn(prompt('x'));
  return world.listener.batches.flat().flatMap((item) => (item.type === 'notice' ? [item.text] : []));
}

test('an agent that does not begin to answer is reported once, even if it sends its state', async () => {
  const told = [expect.stringMatching(/has not answered .* is retrying/)];
  expect(await noticesOf('')).toEqual(told);
  expect(await noticesOf(`tell({ sessionUpdate: 'usage_update', used: 1 })`)).toEqual(told);
});

test('an agent that thinks or calls a tool is not reported as quiet', async () => {
  const call = `{ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Look', kind: 'read', status: 'completed' }`;
  const thought = `{ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Well' } }`;
  for (const update of [call, thought]) expect(await noticesOf(`tell(${update})`)).toEqual([]);
  const toolCall = `{ toolCallId: 't', title: 'Run', kind: 'execute' }`;
  const asks = `await ask('session/request_permission', { toolCall: ${toolCall}, options: [] });`;
  expect(await noticesOf(asks)).toEqual([]);
});

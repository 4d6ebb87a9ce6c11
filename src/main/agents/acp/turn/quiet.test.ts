import { expect, test } from 'vitest';
import { prompt, World } from '../../scripted/testing/world';
import { fakeAgent } from '../testing/fake-agent';

/** The notices of a turn in which the agent does this, and answers a little after quiet would be reported. */
async function noticesOf(first: string, quietMs: number): Promise<string[]> {
  const world = new World();
  const handlers = `{ 'session/prompt': async () => {
    ${first}
    await new Promise((go) => setTimeout(go, ${quietMs + 300}));
    text('done');
    return { stopReason: 'end_turn' };
  } }`;
  const wish = { acp: { limits: { quietMs } } };
  const opened = await world.tryCommand(process.execPath, fakeAgent(handlers), wish);
  if (!opened.ok) throw new Error(opened.error.message);
  await opened.value.turn(prompt('x'));
  return world.listener.batches.flat().flatMap((item) => (item.type === 'notice' ? [item.text] : []));
}

test('an agent that does not begin to answer is reported once, even if it sends its state', async () => {
  const told = [expect.stringMatching(/has not answered .* is retrying/)];
  expect(await noticesOf('', 100)).toEqual(told);
  expect(await noticesOf(`tell({ sessionUpdate: 'usage_update', used: 1 })`, 100)).toEqual(told);
});

test('an agent that thinks or calls a tool is not reported as quiet', async () => {
  const call = `{ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Look', kind: 'read', status: 'completed' }`;
  const thought = `{ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Well' } }`;
  const toolCall = `{ toolCallId: 't', title: 'Run', kind: 'execute' }`;
  const asks = `await ask('session/request_permission', { toolCall: ${toolCall}, options: [] });`;
  const acts = [`tell(${call})`, `tell(${thought})`, asks];
  // On a busy machine its first sign takes a while.
  expect(await Promise.all(acts.map((act) => noticesOf(act, 5_000)))).toEqual([[], [], []]);
});

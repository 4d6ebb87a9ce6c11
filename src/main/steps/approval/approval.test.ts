import { expect, it } from 'vitest';
import { gate, Harness, task } from '../../core/engine/testing/harness';
import { decisionInstruction } from '../../core/step/decision-tail';

const APPROVE = 'Good.\n```json\n{"decision": "approve", "findings": []}\n```';
const review = {
  id: 'ask',
  type: 'step.agent_review_gate',
  config: { instruction: 'r', acp_profile_id: 'fake' },
};

const cables = [
  { from: 'two.data_out', to: 'ask.data_in' },
  { from: 'one.data_out', to: 'ask.data_in' },
  { from: 'ask.approved_out', to: 'use.data_in' },
];

async function play(middle: ReturnType<typeof gate>, links = cables): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = ({ request }) => ({
    response: request.prompt.includes(decisionInstruction) ? APPROVE : `did ${request.prompt.slice(3, 6)}`,
  });
  await harness.run({ steps: [task('one'), task('two'), middle, task('use')], cables: links });
  if (middle.type === 'step.approval') await harness.answer('approve', { text: 'typed' });
  return harness;
}

const lastPrompt = (harness: Harness) => harness.agents.sent.at(-1)?.request.prompt;

it.each([
  ['an approval', gate('ask')],
  ['a review', review],
])(
  '%s passes on all that came in, in the order of the cables, and nothing of it twice',
  async (_, middle) => {
    const harness = await play(middle as ReturnType<typeof gate>);
    expect(harness.state().outcome).toBe('succeeded');
    expect(harness.state().activations[3]?.outputs.approved_out).toMatchObject({
      content: 'did two\n\ndid one',
      source_session_key: null,
    });
    expect(lastPrompt(harness)).toContain('## Input\ndid two\n\ndid one');
    expect(lastPrompt(harness)?.match(/did one/g)).toHaveLength(1);
  },
);

it('passes one thing on as it is, with its session', async () => {
  const harness = await play(
    gate('ask'),
    cables.filter(({ from }) => from !== 'two.data_out'),
  );
  const [one] = Object.values(harness.state().activations);
  const asked = Object.values(harness.state().activations).find(({ stepId }) => stepId === 'ask');
  expect(asked?.outputs.approved_out).toEqual(one?.outputs.data_out);
});

it('gives what the operator typed where it is to capture it', async () => {
  const harness = await play(gate('ask', { capture_response: true }));
  expect(harness.state().activations[3]?.outputs.approved_out?.content).toBe('typed');
});

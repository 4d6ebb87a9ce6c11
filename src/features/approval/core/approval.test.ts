import { bundlePieces } from '@areas/evidence/contract/bundle-pieces';
import type { WholeBundle } from '@areas/workflows/contract/definition';
import { gate, Harness, task } from '@main/core/engine/testing/harness';
import { decisionInstruction } from '@main/core/step/decision-tail';
import { expect, test } from 'vitest';

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

test.each([
  ['an approval', gate('ask')],
  ['a review', review],
])(
  'a gate, %s, passes on all that came in, in the order of the cables, and nothing of it twice',
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

test('an approval passes a single input on as it is, with its session', async () => {
  const harness = await play(
    gate('ask'),
    cables.filter(({ from }) => from !== 'two.data_out'),
  );
  const [one] = Object.values(harness.state().activations);
  const asked = Object.values(harness.state().activations).find(({ stepId }) => stepId === 'ask');
  expect(asked?.outputs.approved_out).toEqual(one?.outputs.data_out);
});

test("an approval outputs the operator's text where it captures it", async () => {
  const harness = await play(gate('ask', { capture_response: true }));
  expect(harness.state().activations[3]?.outputs.approved_out?.content).toBe('typed');
});

test('the evidence of an approval says what it is: a diff, an output, findings, an answer, data', () => {
  const bundle = (content: WholeBundle['content'], more: Partial<WholeBundle> = {}): WholeBundle => ({
    content,
    source_session_key: null,
    metadata: { step_id: 'before' },
    ...more,
  });
  const kinds = (...bundles: WholeBundle[]) =>
    bundles.flatMap((one) => bundlePieces(one)).map(({ kind, title, text }) => [kind, title, text]);
  expect(kinds(bundle('--- a\n+++ b', { kind: 'diff' }))).toEqual([['diff', 'before', '--- a\n+++ b']]);
  expect(kinds(bundle('1 failed', { kind: 'output' }))).toEqual([['output', 'before', '1 failed']]);
  expect(kinds(bundle('- a list'))).toEqual([['markdown', 'before', '- a list']]);
  expect(kinds(bundle({ merged_content: 'Hi' }))).toEqual([['markdown', 'before', 'Hi']]);
  expect(kinds(bundle({ files: 2 }))).toEqual([['json', 'before', '{\n  "files": 2\n}']]);
  const each = [
    { agent_role: 'builder', agent_name: 'Ana', diff: '+a' },
    { agent_role: 'builder', agent_name: 'Ben', diff: '+b' },
  ];
  expect(kinds(bundle(each, { kind: 'diff' }))).toEqual([
    ['diff', 'builder: Ana', '+a'],
    ['diff', 'builder: Ben', '+b'],
  ]);
  const review =
    'Not yet.\n```json\n{"decision": "revise", "findings": [{"severity": "high", "text": "x"}]}\n```';
  const read = kinds(
    bundle({ merged_content: review, decision: 'revise', findings: [] }, { kind: 'findings' }),
  );
  expect(read.map(([kind, title]) => [kind, title])).toEqual([
    ['markdown', 'before'],
    ['findings', 'Findings'],
  ]);
  expect(read[0]?.[2]).toBe('Not yet.');
});

test('a gate after a command shows its output as output', async () => {
  const harness = new Harness();
  harness.commands.answer = () => ({ output: '- 1 failed\n+ 2 passed\n' });
  const config = { script: 'npm test', terminal: false };
  const command = { id: 'c', type: 'step.command', title: 'Run the tests', config };
  await harness.run({ steps: [command, gate('ok')], cables: [{ from: 'c.data_out', to: 'ok.data_in' }] });
  const asked = Object.values(harness.state().gates)[0];
  expect(asked?.evidence).toBe('- 1 failed\n+ 2 passed');
  expect(asked?.evidence_parts).toEqual([{ kind: 'output', title: 'Run the tests', from: 0, to: 21 }]);
});

test('A comment of the operator is no output, unless the step asks for one', async () => {
  const outputOf = async (config: Record<string, unknown>) => {
    const harness = new Harness();
    await harness.run({ steps: [gate('ask', config)] });
    await harness.answer('approve', { text: 'fine, but hurry' });
    return harness.state().activations[1]?.outputs.approved_out?.content;
  };
  expect(await outputOf({})).toBe('');
  expect(await outputOf({ capture_response: true })).toBe('fine, but hurry');
});

import { ok } from '@contract/result';
import { runStatus } from '@contract/run/status';
import { gate, Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';

const openGate = (harness: Harness) =>
  Object.values(harness.state().gates).find(({ status }) => status === 'open');
const prompts = (harness: Harness) => harness.agents.sent.map(({ request }) => request.prompt);
const on_reject = {
  prompt: 'Mend $a.output because: $REJECTION_REASON',
  acp_profile_id: 'fake',
  max_attempts: 2,
};

async function asked(config: Record<string, unknown>, next: Record<string, unknown> = {}): Promise<Harness> {
  const harness = new Harness();
  await harness.run({
    steps: [task('a'), gate('ok', config), task('next', next)],
    cables: [
      { from: 'a.data_out', to: 'ok.data_in' },
      { from: 'ok.approved_out', to: 'next.data_in' },
    ],
  });
  return harness;
}

test('After a reject the agent works with the reason, and the operator is asked again with its answer', async () => {
  const harness = await asked({ message: 'Is "$a.output" good?', on_reject });
  expect(openGate(harness)?.message).toBe('Is "answer to: do a" good?');
  expect(openGate(harness)?.options[1]?.effect).toBe(
    'Fake works on it again with your reason (2 of 2 left).',
  );
  // The operator's text is never expanded.
  await harness.answer('reject', { reason: 'too long, $a.output and $ARGUMENTS' });
  const told = 'Mend answer to: do a because: too long, $a.output and $ARGUMENTS';
  expect(prompts(harness)[1]?.split('\n\n## ')[0]).toBe(told);
  expect(openGate(harness)?.evidence).toContain('Rework 1');
  await harness.answer('reject', { reason: 'still' });
  expect(prompts(harness)[2], 'the session knows the rest').toBe('Mend answer to: do a because: still');
  expect(openGate(harness)?.options[1]?.effect).toBe('The run ends as rejected.');
  await harness.answer('approve');
  const { activations, outcome } = harness.state();
  expect(outcome).toBe('succeeded');
  expect(activations[2]?.outputs.approved_out, 'a rework is not the output of the gate').toEqual(
    activations[1]?.outputs.data_out,
  );
  expect(activations[2]?.receipt).toMatchObject({ option: 'approve', reworks: 2 });
});

test('The question after a rework shows the files that its agent changed, and no changes where it changed none', async () => {
  const harness = await asked({ on_reject });
  harness.folders.snapshot = async (_place, name) => ok(name);
  harness.folders.changes = async () => ({ before: 'a', after: 'b', files: 1, added: 2, removed: 0 });
  await harness.answer('reject', { reason: 'one' });
  const [turn] = Object.values(harness.state().turns).slice(-1);
  expect(openGate(harness)?.changes).toEqual({ kind: 'turn', turnId: turn?.id, asLeft: true });
  harness.folders.changes = async () => ({ before: 'b', after: 'b', files: 0, added: 0, removed: 0 });
  await harness.answer('reject', { reason: 'two' });
  expect(openGate(harness)?.changes).toBeUndefined();
});

test('A reject after the last rework ends the run as rejected', async () => {
  const harness = await asked({ on_reject: { ...on_reject, max_attempts: 1 } });
  await harness.answer('reject', { reason: 'one' });
  await harness.answer('reject', { reason: 'two' });
  expect(prompts(harness)).toHaveLength(2);
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'rejected' });
});

test('A rework that fails fails its gate, and one whose reference is missing too', async () => {
  const failing = await asked({ on_reject });
  failing.agents.answer = () => ({ outcome: 'failed' });
  await failing.answer('reject', { reason: 'x' });
  expect(failing.state().activations[2]?.outcome).toBe('failed');
  const missing = await asked({ on_reject: { ...on_reject, prompt: 'Mend $a.output.part' } });
  await missing.answer('reject', { reason: 'x' });
  expect(missing.state().activations[2]?.error?.code).toBe('reference.not_json');
  expect(prompts(missing)).toHaveLength(1);
});

test('A rework survives the end of Muster between the reject and its prompt', async () => {
  const harness = await asked({ on_reject });
  harness.agents.answer = () => null;
  await harness.answer('reject', { reason: 'late' });
  await harness.restart();
  const gates = Object.values(harness.state().gates).filter(({ kind }) => kind === 'approval');
  expect(gates).toHaveLength(1);
  expect(harness.state().activations[2]?.laterTexts).toEqual({
    'rework 0': 'Mend answer to: do a because: late',
  });
});

test('A decision is the output of the step, and conditions route on it', async () => {
  const decisions = [
    { id: 'ship', label: 'Ship it' },
    { id: 'wait', label: 'Wait a week' },
  ];
  const harness = new Harness();
  const when = (decision: string) => ({ when: `$ok.output.decision == '${decision}'` });
  await harness.run({
    steps: [
      gate('ok', { decisions }),
      task('a', {}, when('ship')),
      task('b', { instruction: '$ok.output.text' }, when('wait')),
    ],
    cables: [
      { from: 'ok.signal_out', to: 'a.signal_in' },
      { from: 'ok.signal_out', to: 'b.signal_in' },
    ],
  });
  expect(openGate(harness)?.options.map(({ id, label }) => `${id} ${label}`)).toEqual([
    'ship Ship it',
    'wait Wait a week',
  ]);
  await harness.answer('wait', { text: 'not on Friday' });
  const { steps, activations, outcome } = harness.state();
  expect(activations[1]?.outputs.data_out?.content).toEqual({ decision: 'wait', text: 'not on Friday' });
  expect(steps.a?.skipCause).toBe('condition');
  expect(prompts(harness)[0]?.split('\n\n## ')[0]).toBe('not on Friday');
  expect(outcome).toBe('succeeded');
  const wrong = { steps: [gate('ok', { decisions }), task('a', {}, { when: '$ok.output.reason == 1' })] };
  const cables = [{ from: 'ok.signal_out', to: 'a.signal_in' }];
  await expect(new Harness().run({ ...wrong, cables })).rejects.toThrow('declares no field "reason"');
});

test('A reminder is posted once, and the question stays open', async () => {
  const harness = await asked({ reminder_minutes: 30 });
  expect(runStatus(harness.state())).toBe('waiting');
  harness.clock.advance(30 * 60_000);
  await harness.idle();
  await harness.restart();
  const reminders = harness
    .events()
    .flatMap((one) => (one.type === 'update.posted' && one.turnId === null ? [one.text] : []));
  expect(reminders).toEqual([
    'Iteration 1/1\nStory: ok - ok\nResult: blocked\nCommit: none\nSummary: Waits for your decision since 30 minutes.',
  ]);
  expect(Object.values(harness.state().gates)).toHaveLength(1);
  await harness.answer('approve');
  expect(harness.state().outcome).toBe('succeeded');
});

test.each([
  ['approve', 'succeeded', 'Without an answer within 2 hours it counts as approved.'],
  ['reject', 'rejected', 'Without an answer within 2 hours it counts as rejected.'],
  ['fail', 'failed', 'Without an answer within 2 hours it counts as failed.'],
])('A question that expires as %s ends as configured', async (outcome, ended, words) => {
  const harness = await asked({ expires: { minutes: 120, outcome } });
  expect(openGate(harness)?.message).toBe(`approve ok?\n\n${words}`);
  await harness.restart();
  harness.clock.advance(120 * 60_000);
  await harness.idle();
  expect(openGate(harness)).toBeUndefined();
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: ended });
});

test('An answer in time counts, also where the question would have expired', async () => {
  const harness = await asked({ expires: { minutes: 1, outcome: 'reject' } }, { instruction: 'go' });
  harness.agents.answer = () => null;
  await harness.answer('approve');
  harness.clock.advance(600_000);
  await harness.idle();
  expect(harness.state()).toMatchObject({ status: 'running' });
  expect(harness.state().activations[2]?.outcome).toBe('succeeded');
});

test.each([
  [
    {
      on_reject,
      decisions: [
        { id: 'a', label: 'A' },
        { id: 'b', label: 'B' },
      ],
    },
    'nothing is rejected',
  ],
  [
    {
      decisions: [
        { id: 'a', label: 'A' },
        { id: 'a', label: 'B' },
      ],
    },
    'two decisions have the id "a"',
  ],
  [{ expires: { minutes: 1, outcome: 'maybe' } }, '"maybe" is not an outcome'],
  [{ capture_response: true, expires: { minutes: 1, outcome: 'approve' } }, 'there is no text to capture'],
  [{ on_reject: { prompt: 'x' } }, 'no agent is given'],
  [{ message: '$REJECTION_REASON' }, 'has no value in this text'],
])('The configuration %j is refused', async (config, message) => {
  await expect(new Harness().run({ steps: [gate('ok', config)] })).rejects.toThrow(message);
});

test('With output: answer the reworked text is what is approved, and what the next step gets', async () => {
  const harness = await asked({ on_reject: { ...on_reject, output: 'answer' } });
  expect(openGate(harness)?.evidence).toContain('answer to: do a');
  harness.agents.answer = ({ request }) => ({
    response: request.prompt.startsWith('Mend') ? 'the mended text' : 'used',
  });
  await harness.answer('reject', { reason: 'too long' });
  expect(openGate(harness)?.evidence).toContain('the mended text');
  expect(openGate(harness)?.evidence, 'the old text is no longer what is decided on').not.toContain(
    'answer to: do a',
  );
  await harness.answer('approve');
  expect(prompts(harness).at(-1)).toContain('the mended text');
  expect(prompts(harness).at(-1)).not.toContain('too long');
});

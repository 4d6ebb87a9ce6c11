import { expect, test } from 'vitest';
import { gate, Harness, task } from '../testing/harness';

const steps = [
  task('quick'),
  task('slow'),
  task('join', {}, { title: 'Join' }),
  task('after'),
  task('always', {}, { trigger_rule: 'all_done' }),
];
const cables = [
  { from: 'quick.data_out', to: 'join.data_in' },
  { from: 'slow.data_out', to: 'join.context_in' },
  { from: 'join.data_out', to: 'after.data_in' },
  { from: 'after.data_out', to: 'always.data_in' },
];

/** `quick` fails at once, `slow` keeps working, `always` is kept open. */
async function failingQuick(): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = ({ request: { prompt } }) =>
    prompt.includes('do quick')
      ? { outcome: 'failed' }
      : prompt.includes('do slow')
        ? null
        : { response: 'ok' };
  await harness.run({ steps, cables });
  return harness;
}

test('A skip is committed as soon as it is certain, with its cause, and dependents react at once', async () => {
  const harness = await failingQuick();
  const { steps: states } = harness.state();
  expect(states.join).toMatchObject({ skipped: 'quick failed', skipCause: 'upstream_failed' });
  expect(states.after).toMatchObject({ skipped: 'quick failed', skipCause: 'upstream_failed' });
  expect(states.always?.activationIds, 'all_done runs while slow still works').toHaveLength(1);
  expect(harness.state().status).toBe('running');
});

test('A step that failed never makes a green run, whatever runs after it', async () => {
  const harness = await failingQuick();
  harness.agents.sent.find(({ request }) => request.prompt.includes('do slow'))?.end({ response: 'ok' });
  await harness.idle();
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
  expect(harness.state().reason).toContain('quick');
});

test('A resume decides skips again, and what ran without the failed step runs once more with its result', async () => {
  const harness = await failingQuick();
  harness.agents.sent.find(({ request }) => request.prompt.includes('do slow'))?.end({ response: 'ok' });
  await harness.idle();
  harness.agents.answer = () => ({ response: 'ok' });
  const failed = harness.state().steps.quick?.activationIds ?? [];
  await harness.engine.command(1, () => ({
    ok: true,
    value: [{ type: 'run.resumed', by: 'test', activationIds: [...failed] }],
  }));
  await harness.idle();
  const { steps: states, outcome } = harness.state();
  expect(outcome).toBe('succeeded');
  expect(states.join).toMatchObject({ skipped: null, skipCause: null });
  expect(states.always?.activationIds).toHaveLength(2);
});

test('A re-run upstream withdraws a skip, and the step then runs', async () => {
  const harness = new Harness();
  let fails = true;
  harness.agents.answer = ({ request: { prompt } }) =>
    prompt.includes('do x') && fails ? { outcome: 'failed' } : { response: 'ok' };
  await harness.run({
    steps: [task('draft'), task('x'), gate('look'), task('join')],
    cables: [
      { from: 'draft.data_out', to: 'x.data_in' },
      { from: 'x.data_out', to: 'join.data_in' },
      { from: 'draft.data_out', to: 'look.data_in' },
      { from: 'look.revise_out', to: 'draft.instruction_in' },
      { from: 'look.approved_out', to: 'join.context_in' },
    ],
  });
  expect(harness.state().steps.join).toMatchObject({ skipped: 'x failed', skipCause: 'upstream_failed' });
  fails = false;
  await harness.answer('reject', { reason: 'again' });
  expect(harness.events()).toContainEqual({ type: 'step.skip-withdrawn', stepId: 'join' });
  expect(harness.state().steps.join?.skipped).toBeNull();
  await harness.answer('approve');
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(harness.state().steps.join?.activationIds).toHaveLength(1);
});

test('A core that is killed after a skip comes back with it, and does not record it twice', async () => {
  const harness = await failingQuick();
  await harness.restart();
  const skipped = harness.events().flatMap((event) => (event.type === 'step.skipped' ? [event.stepId] : []));
  expect(skipped).toEqual(['join', 'after']);
});

test('A step that is switched off is skipped with that reason, and what lies behind it by its own trigger rule', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ response: 'ok' });
  const off = [
    task('first'),
    task('off', {}, { disabled: true, when: "$first.output == 'never'" }),
    task('needs'),
    task('always', {}, { trigger_rule: 'all_done' }),
  ];
  const row = [
    { from: 'first.data_out', to: 'off.data_in' },
    { from: 'off.data_out', to: 'needs.data_in' },
    { from: 'off.signal_out', to: 'always.signal_in' },
  ];
  await harness.run({ steps: off, cables: row });
  await harness.idle();
  const { steps: states, status, outcome } = harness.state();
  expect(states.off).toMatchObject({
    activationIds: [],
    skipped: 'it is switched off',
    skipCause: 'disabled',
  });
  expect(states.needs).toMatchObject({ skipped: 'off was skipped', skipCause: 'upstream_skipped' });
  expect(states.always?.activationIds).toHaveLength(1);
  expect({ status, outcome }).toEqual({ status: 'finished', outcome: 'succeeded' });
});

test('A long condition that is false is shown as the reason of the skip with a mark where it ends', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ response: 'ok' });
  const never = `$first.output == '${'never'.repeat(80)}'`;
  await harness.run({
    steps: [task('first'), task('off', {}, { when: never })],
    cables: [{ from: 'first.data_out', to: 'off.data_in' }],
  });
  await harness.idle();
  const { skipped } = harness.state().steps.off ?? {};
  expect(skipped).toBe(
    `its condition is false: ${never.slice(0, 300)} … (${never.length} characters in all)`,
  );
});

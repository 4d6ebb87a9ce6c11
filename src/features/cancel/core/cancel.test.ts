import { workflowDefinitionSchema } from '@contract/workflow/definition';
import { stepRegistry } from '@features/core';
import { makePlan } from '@main/core/engine/plan/plan';
import { fakeProfile, Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';

test('A step that cancels ends the run with its reason and stops what works beside it', async () => {
  const harness = new Harness();
  harness.agents.answer = ({ request }) =>
    request.prompt.includes('do slow') ? null : { response: 'no changes' };
  const stop = {
    id: 'stop',
    type: 'step.cancel',
    when: "$look.status == 'succeeded'",
    config: { reason: 'Nothing to do: $look.output' },
  };
  await harness.run({
    steps: [task('slow'), task('look'), stop],
    cables: [{ from: 'look.signal_out', to: 'stop.signal_in' }],
  });
  const state = harness.state();
  expect(state).toMatchObject({
    status: 'finished',
    outcome: 'cancelled',
    reason: 'Nothing to do: no changes',
  });
  expect(
    Object.values(state.turns)
      .map(({ status }) => status)
      .sort(),
  ).toEqual(['cancelled', 'completed']);
});

test('A step in a loop that cancels ends the whole run', async () => {
  const harness = new Harness();
  const body = { steps: [{ id: 'stop', type: 'step.cancel', config: { reason: 'enough' } }] };
  await harness.run({
    steps: [{ id: 'loop', type: 'step.loop', config: { body, until: 'DONE', max_iterations: 3 } }],
  });
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'cancelled', reason: 'enough' });
  expect(harness.state().scopes['loop[1]']).toMatchObject({ status: 'ended', outcome: 'cancelled' });
});

test('A cable from a step that cancels is said to do nothing, with what to do', () => {
  const steps = [{ id: 'stop', type: 'step.cancel', config: { reason: 'enough' } }, task('next')];
  const cables = [{ from: 'stop.signal_out', to: 'next.signal_in' }];
  const definition = workflowDefinitionSchema.parse({ name: 'w', steps, cables });
  const context = { registry: stepRegistry, profiles: { fake: fakeProfile }, defaultProfile: null };
  expect(makePlan(definition, context).problems).toMatchObject([
    {
      severity: 'warning',
      message: expect.stringContaining('"next" does not wait for it'),
      mend: expect.stringMatching(/^remove/),
    },
  ]);
});

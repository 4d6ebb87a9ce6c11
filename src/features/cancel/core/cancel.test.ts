import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { stepRegistry } from '@features/core';
import { makePlan } from '@main/core/engine/plan/plan';
import { fakeProfile, gate, Harness, task } from '@main/core/engine/testing/harness';
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

const guarded = {
  steps: [
    task('check'),
    { id: 'stop', type: 'step.cancel', when: "$check.output == 'dirty'", config: { reason: 'It is dirty.' } },
    task('deploy'),
  ],
  cables: [
    { from: 'check.signal_out', to: 'stop.signal_in' },
    { from: 'stop.signal_out', to: 'deploy.signal_in' },
  ],
};
const prompts = (harness: Harness) => harness.agents.sent.map(({ request }) => request.prompt.split('\n')[0]);

test('What lies behind a step that cancels does not start before its condition is decided', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run(guarded);
  expect(prompts(harness)).toEqual(['do check']);
  harness.agents.sent[0]?.end({ response: 'clean' });
  await harness.idle();
  expect(prompts(harness)).toEqual(['do check', 'do deploy']);
  expect(harness.state().steps.stop).toMatchObject({ skipCause: 'condition' });
  harness.agents.sent[1]?.end({ response: 'deployed' });
  await harness.idle();
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
});

test('What lies behind a step that cancels never starts where it fires', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ response: 'dirty' });
  await harness.run(guarded);
  expect(prompts(harness)).toEqual(['do check']);
  expect(harness.state()).toMatchObject({ outcome: 'cancelled', reason: 'It is dirty.' });
  expect(harness.state().steps.deploy?.activationIds).toEqual([]);
});

test('What lies behind a step that cancels is skipped where the step before failed', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ outcome: 'failed' });
  await harness.run(guarded);
  expect(prompts(harness)).toEqual(['do check']);
  expect(harness.state().steps.deploy).toMatchObject({
    skipped: 'check failed',
    skipCause: 'upstream_failed',
  });
});

test('What lies behind a step that cancels runs again when the step before it does', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ response: 'clean' });
  await harness.run({
    steps: [...guarded.steps, gate('look')],
    cables: [
      ...guarded.cables,
      { from: 'deploy.data_out', to: 'look.data_in' },
      { from: 'look.revise_out', to: 'check.instruction_in' },
    ],
  });
  await harness.answer('reject', { reason: 'again' });
  await harness.restart();
  await harness.answer('approve');
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(prompts(harness)).toEqual(['do check', 'do deploy', 'do check', 'do deploy']);
});

test('A cable from a step that cancels has no problem, and one from an output that it lacks names the one it has', () => {
  const problemsOf = (from: string) => {
    const cables = [guarded.cables[0], { from, to: 'deploy.signal_in' }];
    const definition = workflowDefinitionSchema.parse({ name: 'w', steps: guarded.steps, cables });
    const context = { registry: stepRegistry, profiles: { fake: fakeProfile }, defaultProfile: null };
    return makePlan(definition, context).problems.filter(({ where }) => where?.path?.startsWith('cables'));
  };
  expect(problemsOf('stop.signal_out')).toEqual([]);
  expect(problemsOf('stop.data_out')).toMatchObject([
    { severity: 'warning', mend: 'use one of: signal_out' },
  ]);
});

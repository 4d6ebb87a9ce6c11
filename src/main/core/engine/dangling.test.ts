import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import type { StoredEvent } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import { stepRegistry } from '@features/core';
import { describe, expect, test } from 'vitest';
import { makePlan } from './plan/plan';
import { Schedule } from './schedule/schedule';
import { fakeProfile, gate, Harness, task } from './testing/harness';

const gone = { from: 'a.reprompt_1_out', to: 'b.data_in' };
const prompts = (harness: Harness) => harness.agents.sent.map(({ request }) => request.prompt);

describe('a cable whose output is gone', () => {
  test('a cable whose output is gone gives nothing, but its step still waits for the one that it came from', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({ steps: [task('a'), task('b')], cables: [gone] }, { instruction: 'Make it red.' });
    expect(prompts(harness)).toEqual(['do a\n\n## Request\nMake it red.']);
    harness.agents.sent[0]?.end({ response: 'did a' });
    await harness.idle();
    expect(prompts(harness)[1]).toBe('do b\n\n## Earlier steps\n### a\ndid a');
    expect(harness.state().activations[2]?.inputs).toMatchObject([{ activationId: 1, port: 'data_in' }]);
    harness.agents.sent[1]?.end({ response: 'did b' });
    await harness.idle();
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a cable whose output is gone does not let its step begin where the one before failed', async () => {
    const harness = new Harness();
    harness.agents.answer = () => ({ outcome: 'failed' });
    await harness.run({ steps: [task('a'), task('b')], cables: [gone] });
    expect(prompts(harness)).toEqual(['do a']);
    expect(harness.state().steps.b?.skipped).not.toBeNull();
  });

  test('a cable whose output is gone holds nothing up where it would lead back, or where another cable gives the order', async () => {
    const harness = new Harness();
    await harness.run({
      steps: [task('a'), task('b'), gate('ok')],
      cables: [
        ...[gone, { from: 'a.data_out', to: 'b.data_in' }],
        { from: 'b.data_out', to: 'ok.data_in' },
        { from: 'ok.reject_out', to: 'a.instruction_in' },
      ],
    });
    await harness.answer('approve');
    expect(harness.state().outcome).toBe('succeeded');
    expect(harness.state().activations[2]?.inputs).toHaveLength(1);
  });

  test('a cable whose output is gone makes no step run again that ran before such cables were waited for', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    const steps = [task('a'), task('b'), gate('ok')];
    await harness.run({ steps, cables: [{ from: 'b.data_out', to: 'ok.data_in' }] });
    for (const turn of harness.agents.sent) turn.end({ response: 'done' });
    await harness.idle();
    const state = replay(harness.log.read(1) as StoredEvent[]);
    const definition = workflowDefinitionSchema.parse({
      name: 'x',
      steps,
      cables: [gone, { from: 'b.data_out', to: 'ok.data_in' }],
    });
    const context = { registry: stepRegistry, profiles: { fake: fakeProfile }, defaultProfile: null };
    const { plan } = makePlan(definition, { ...context, begun: true });
    if (plan === null || state === null) throw new Error('no plan');
    const places = new Schedule(plan, state).places.map(({ step, place }) => [
      step.definition.id,
      place.place,
    ]);
    expect(Object.fromEntries(places)).toEqual({ a: 'settled', b: 'settled', ok: 'running' });
  });
});

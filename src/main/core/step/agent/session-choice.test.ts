import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { stepRegistry } from '@features/core';
import { describe, expect, test } from 'vitest';
import { makePlan } from '../../engine/plan/plan';
import { fakeProfile, gate, Harness, task } from '../../engine/testing/harness';

const profiles = { fake: fakeProfile, other: { ...fakeProfile, id: 'other' } };
const continues = (config: Record<string, unknown> = {}) =>
  task('b', { session_mode: 'continue', ...config });
const through = (id: string, port = 'approved_out') => [
  { from: 'a.data_out', to: `${id}.data_in` },
  { from: `${id}.${port}`, to: 'b.data_in' },
];

function problems(steps: readonly unknown[], cables: readonly { from: string; to: string }[]) {
  const definition = workflowDefinitionSchema.parse({ name: 'w', steps, cables });
  const made = makePlan(definition, { registry: stepRegistry, profiles, defaultProfile: null });
  return made.problems.map(({ severity, message }) => `${severity}: ${message}`);
}

describe('a step that continues the session of what comes in', () => {
  test('a step over an approval or a review goes on in the session behind it, which must be of its profile', () => {
    const review = { id: 'ok', type: 'step.agent_review_gate' };
    const config = { instruction: 'Review it.', acp_profile_id: 'other' };
    for (const step of [gate('ok'), { ...review, config }]) {
      expect(problems([task('a'), step, continues()], through('ok'))).toEqual([]);
      expect(problems([task('a'), step, continues({ acp_profile_id: 'other' })], through('ok'))).toEqual([
        'error: step "b": session_mode: continue uses a session of "fake", but the step names "other"',
      ]);
    }
    const two = [...through('ok'), { from: 'c.data_out', to: 'ok.data_in' }];
    expect(problems([task('a'), task('c'), gate('ok'), continues()], two)).toEqual([
      'error: step "b": session_mode: continue has two candidate sessions: a, c',
    ]);
    // Naming the same session twice counts once.
    const same = [...through('ok'), { from: 'a.data_out', to: 'b.data_in' }];
    expect(problems([task('a'), gate('ok'), continues()], same)).toEqual([]);
  });

  test('a step that continues a session needs one: a command has none, nor has what the operator types', () => {
    const none = (id: string) => [
      `error: step "b": session_mode: continue has no session to continue:  "${id}" has none`,
    ];
    const command = { id: 'run', type: 'step.command', config: { script: 'date' } };
    expect(problems([task('a'), command, continues()], through('run', 'data_out'))).toEqual(none('run'));
    expect(problems([task('a'), gate('ok', { capture_response: true }), continues()], through('ok'))).toEqual(
      none('ok'),
    );
  });

  test('a step that continues a session is told which parts of its agent_config do not apply there', () => {
    const config = { agent_config: { model: 'm', env: { A: '1' } } };
    expect(problems([task('a'), gate('ok'), continues(config)], through('ok'))).toEqual([
      'warning: step "b": session_mode: continue uses the session of "a" as it is: model, A of agent_config has no effect',
    ]);
    expect(problems([task('a', config), gate('ok'), continues(config)], through('ok'))).toEqual([]);
  });
});

/** A run that an earlier Muster began with a workflow that is rejected today. */
async function begunEarlier(steps: unknown[], cables: { from: string; to: string }[]): Promise<Harness> {
  const harness = new Harness();
  await harness.run({ steps: [task('a'), gate('ok')], cables: [] }, { profiles });
  const [started] = harness.log.rows.splice(0);
  if (started?.event.type !== 'run.started') throw new Error('no start');
  started.event.definition = workflowDefinitionSchema.parse({ name: 'w', steps, cables });
  harness.log.rows.push(started);
  harness.agents.sent.length = 0;
  await harness.restart();
  return harness;
}

describe('a run that began before', () => {
  test('an old run fails at a step that would go on in a session of another profile', async () => {
    const steps = [task('a'), gate('ok'), continues({ acp_profile_id: 'other' })];
    const harness = await begunEarlier(steps, through('ok'));
    await harness.answer('approve');
    expect(harness.agents.sent).toHaveLength(1);
    expect(harness.state()).toMatchObject({ outcome: 'failed', reason: '"b" failed' });
    expect(harness.state().activations[3]?.error).toMatchObject({
      code: 'validation.session_continue',
      message: expect.stringMatching(/^the step names "other", but the session \S+ is one of "fake"$/),
    });
  });

  test('an old run fails at a step whose input was made in no session', async () => {
    const steps = [task('a'), gate('ok', { capture_response: true }), continues()];
    const harness = await begunEarlier(steps, through('ok'));
    await harness.answer('approve', { text: 'go' });
    expect(harness.state().activations[3]?.error?.message).toBe(
      'the input does not come from a session that can be continued',
    );
  });
});

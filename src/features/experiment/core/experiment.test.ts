import { readFileSync } from 'node:fs';
import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { ok } from '@contract/result';
import { stepDefinition } from '@contract/run/scope/path';
import { stepRegistry } from '@features/core';
import { judgePromptSet } from '@features/judge/contract/prompts';
import { makePlan } from '@main/core/engine/plan/plan';
import { brokenActivations } from '@main/core/engine/resume/broken-activations';
import { fakeProfile, Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';

const experiment = (variants: readonly object[], config: object = {}) => ({
  id: 'compare',
  type: 'step.experiment',
  config: { target: task('draft', { re_prompts: ['shorter'] }), variants, ...config },
});
const THREE = [
  { name: 'as it is' },
  { name: 'formal', instruction_override: 'write formally' },
  { name: 'one turn', config_overrides: { re_prompts: [], instruction: 'write $plan.output' } },
];

const prompts = (harness: Harness) => harness.agents.sent.map(({ request }) => request.prompt);

function comparison(harness: Harness) {
  const { activationIds = [] } = harness.state().steps.compare ?? {};
  return harness.state().activations[activationIds.at(-1) ?? 0];
}

test('Every variant runs the target with its overrides, and the comparison holds what each made and took', async () => {
  const harness = new Harness();
  let turns = 0;
  harness.agents.answer = ({ request }) => {
    turns += 1;
    harness.clock.time += 2_000;
    const usage = { input_tokens: 10, output_tokens: turns, total_tokens: 10 + turns, cost_usd: 0.5 };
    return {
      response: `said ${request.prompt.split(/\s/).slice(-2).join(' ')}`,
      ...(turns > 4 ? {} : { usage }),
    };
  };
  await harness.run({
    max_parallel: 1,
    steps: [task('plan'), experiment(THREE)],
    cables: [{ from: 'plan.signal_out', to: 'compare.signal_in' }],
  });
  expect(Object.keys(harness.state().scopes)).toEqual(['compare[1]', 'compare[2]', 'compare[3]']);
  const sent = prompts(harness).slice(1);
  expect(sent.filter((prompt) => prompt.includes('do draft'))).toHaveLength(1);
  expect(sent.filter((prompt) => prompt.includes('write formally'))).toHaveLength(1);
  expect(sent.filter((prompt) => prompt.includes('write said do plan'))).toHaveLength(1);
  expect(sent.filter((prompt) => prompt === 'shorter')).toHaveLength(2);
  expect(comparison(harness)?.outputs.data_out?.content).toEqual({
    target: 'draft',
    variants: [
      {
        name: 'as it is',
        outcome: 'succeeded',
        error: null,
        output: expect.stringContaining('said shorter'),
        branch: 'muster/compare-1-1',
        tokens: 25,
        cost_usd: 1,
        seconds: 4,
      },
      {
        name: 'formal',
        outcome: 'succeeded',
        error: null,
        output: expect.stringContaining('said'),
        branch: 'muster/compare-2-2',
        tokens: 14,
        cost_usd: 0.5,
        seconds: 4,
      },
      {
        name: 'one turn',
        outcome: 'succeeded',
        error: null,
        output: expect.stringMatching(/^said/),
        branch: 'muster/compare-3-3',
        tokens: null,
        cost_usd: null,
        seconds: 2,
      },
    ],
  });
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(stepDefinition(harness.state(), 'compare[2]/draft')?.config.instruction).toBe('write formally');
});

test('A variant that fails does not fail the others, and a judge gets those that gave an output', async () => {
  const harness = new Harness();
  harness.agents.answer = ({ request: { prompt } }) => {
    if (prompt.includes('formally')) return { outcome: 'refused', stopReason: 'refusal' };
    const scored = (score: number) => ({ scores: { clear: score }, reason: 'so' });
    if (!prompt.includes('candidate_1'))
      return { response: prompt.includes('do draft') ? 'long text' : 'short text' };
    const first = prompt.indexOf('long text') < prompt.indexOf('short text');
    return {
      response: JSON.stringify({ candidate_1: scored(first ? 3 : 8), candidate_2: scored(first ? 8 : 3) }),
    };
  };
  const judge = {
    id: 'judge',
    type: 'step.judge',
    config: { criteria: [{ id: 'clear', description: 'is it clear?' }], acp_profile_id: 'fake' },
  };
  await harness.run(
    {
      steps: [experiment(THREE, { target: task('draft') }), judge],
      cables: [{ from: 'compare.data_out', to: 'judge.target_in' }],
    },
    {
      prompts: Object.fromEntries(
        judgePromptSet.prompts.map(({ id, file }) => [
          id,
          readFileSync(`resources/prompts/judge/${file}`, 'utf8'),
        ]),
      ),
    },
  );
  expect(comparison(harness)).toMatchObject({
    outcome: 'succeeded',
    receipt: { variants: 3, failed: 1 },
    outputs: {
      data_out: {
        content: {
          variants: [
            { name: 'as it is', output: 'long text' },
            { name: 'formal', outcome: 'failed', output: null, error: expect.stringContaining('refus') },
            { name: 'one turn', output: 'short text' },
          ],
        },
      },
    },
  });
  const [judged] = harness.state().steps.judge?.activationIds ?? [];
  expect(harness.state().activations[judged ?? 0]?.outputs.data_out?.content).toMatchObject({
    winner: 'one turn',
    candidates: [{ name: 'as it is' }, { name: 'one turn' }],
  });
  // A run with a failed step is never green.
  expect(harness.state()).toMatchObject({ outcome: 'failed', reason: '1 of 3 in "compare" failed' });
});

test('An experiment of which every variant fails has failed, and a resume runs them again', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ outcome: 'refused', stopReason: 'refusal' });
  await harness.run({ steps: [experiment(THREE, { target: task('draft') })] });
  expect(comparison(harness)).toMatchObject({
    outcome: 'failed',
    error: { message: expect.stringMatching(/^as it is: /) },
  });
  harness.agents.answer = () => ({ response: 'now' });
  const activationIds = brokenActivations(harness.state());
  await harness.engine.command(1, () => ok([{ type: 'run.resumed', activationIds, by: 'test' }]));
  await harness.idle();
  expect(comparison(harness)).toMatchObject({
    outcome: 'succeeded',
    outputs: { data_out: { content: { variants: THREE.map(({ name }) => ({ name, output: 'now' })) } } },
  });
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
});

const context = { registry: stepRegistry, profiles: { fake: fakeProfile }, defaultProfile: null };
function problems(step: object): unknown[] {
  const definition = workflowDefinitionSchema.parse({ name: 'w', steps: [step] });
  return makePlan(definition, context).problems.map(({ code, where }) => [code, where?.path]);
}

test("Overrides are checked by the target's own schema, each problem at the place where it was written", () => {
  expect(
    problems(
      experiment([
        { name: 'a', config_overrides: { re_promts: [] } },
        { name: 'b', config_overrides: { acp_profile_id: 'nobody', re_prompts: ['x', ''] } },
        { name: 'c', instruction_override: 'say $later.output' },
      ]),
    ),
  ).toEqual([
    ['validation.unknown_key', 'steps[0].config.variants[0].config_overrides.re_promts'],
    ['validation.profile_unknown', 'steps[0].config.variants[1].config_overrides.acp_profile_id'],
    ['validation.reprompt_empty', 'steps[0].config.variants[1].config_overrides.re_prompts[1]'],
    ['validation.reference', 'steps[0].config.variants[2].instruction_override'],
  ]);
});

test('A fault in the target itself is reported once, and the names of variants differ', () => {
  const target = task('draft', { acp_profile_id: 'nobody' });
  expect(problems(experiment([{ name: 'a' }, { name: 'a' }], { target }))).toEqual([
    ['validation.profile_unknown', 'steps[0].config.target.config.acp_profile_id'],
    ['validation.config', 'steps[0].config.variants[1].name'],
  ]);
  const shell = { id: 'sh', type: 'step.command', config: { script: 'true' } };
  const both = [{ name: 'a' }, { name: 'b', instruction_override: 'x' }];
  expect(problems(experiment(both, { target: shell }))).toEqual([
    ['validation.unknown_key', 'steps[0].config.variants[1].instruction_override'],
  ]);
  expect(problems(experiment([{ name: 'only' }]))).toEqual([
    ['validation.config', 'steps[0].config.variants'],
  ]);
});

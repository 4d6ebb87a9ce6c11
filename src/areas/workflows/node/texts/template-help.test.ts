import type { RunState } from '@contract/run/state';
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { fakeProfile, Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import type { StepPath, ValuePath } from '../../contract/edit';
import { WorkflowFiles } from '../workflow-files';
import { TemplateHelper } from './template-help';

const TEXT = `name: Help
inputs:
  language: { default: German }
steps:
  - id: plan
    title: The plan
    type: step.agent_task
    output_format: { type: object, properties: { risk: { type: string }, size: { type: number } } }
    config: { instruction: Plan $ARGUMENTS }
  - id: later
    type: step.agent_task
    config: { instruction: "Use $build.output" }
  - id: build
    type: step.command
    config: { script: make }
  - id: again
    type: step.loop
    config:
      prompt: Look
      max_iterations: 2
      until: DONE
  - id: rounds
    type: step.loop
    config:
      max_iterations: 2
      until: DONE
      body:
        steps:
          - { id: first, type: step.agent_task, config: { instruction: A } }
          - { id: second, type: step.agent_task, config: { instruction: B, re_prompts: [C] } }
        cables:
          - { from: first.data_out, to: second.data_in }
cables:
  - { from: plan.data_out, to: build.data_in }
  - { from: plan.data_out, to: again.data_in }
  - { from: build.data_out, to: rounds.data_in }
`;

function helper(state: RunState | null = null): TemplateHelper {
  const parts = { reader: yamlReader, registry: stepRegistry };
  const profiles = () => ({ fake: fakeProfile });
  return new TemplateHelper({
    ...parts,
    files: new WorkflowFiles({ ...parts, profiles, defaultProfile: () => 'fake' }),
    project: () => ({ path: '/nowhere' }),
    lastRun: () => (state === null ? null : { id: 7, name: 'Help', startedAt: 1, state }),
  });
}

const at = { projectId: 1, file: '.muster/workflows/w.yaml', text: TEXT };

async function helpOf(step: string[], text = TEXT) {
  const told = await helper().templates({ ...at, text, step });
  if (!told.ok) throw new Error(told.error.message);
  const { fields, names } = told.value;
  return (path: string) => {
    const field = fields.find((one) => one.path === path);
    return field === undefined ? null : { kind: field.kind, names: names[field.names] };
  };
}

interface Written {
  readonly step: StepPath;
  readonly path: ValuePath;
  readonly draft: string;
  readonly state?: RunState;
}

async function preview({ step, path, draft, state }: Written) {
  const made = await helper(state ?? null).preview({ ...at, step: [...step], path: [...path], draft });
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

test('every template of a step has its kind and its possible references', async () => {
  const build = await helpOf(['build']);
  expect([build('config.script')?.kind, build('when')?.kind, build('config.instruction')]).toEqual([
    'script',
    'condition',
    null,
  ]);
  expect(build('config.script')?.names).toMatchObject({
    steps: [
      { id: 'plan', title: 'The plan', fields: ['risk', 'size'], upstream: true, previous: false },
      { id: 'later', upstream: false },
      { id: 'build', upstream: false },
      { id: 'again', upstream: false },
      { id: 'rounds', upstream: false },
    ],
    inputs: ['language'],
  });
});

test('the prompt of a loop and the steps of its body know the variables of a pass, and what is around the loop', async () => {
  const prompt = (await helpOf(['again']))('config.prompt');
  expect(prompt?.names?.variables).toEqual(expect.arrayContaining(['LOOP_PREV_OUTPUT', 'LOOP_USER_INPUT']));
  expect(prompt?.names?.steps.find(({ id }) => id === 'plan')).toMatchObject({ upstream: true });
  const second = (await helpOf(['rounds', 'second']))('config.re_prompts[]');
  expect(second?.names?.steps).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ id: 'first', upstream: true, previous: true }),
      expect.objectContaining({ id: 'build', upstream: true, previous: false }),
    ]),
  );
});

test('a file that is no workflow still tells the templates of its steps', async () => {
  const told = await helpOf(['build'], TEXT.replace('name: Help', 'nmae: Help'));
  expect(told('config.script')).toEqual({ kind: 'script', names: expect.objectContaining({ steps: [] }) });
});

test('a text is previewed with sample values where the workflow has not run, and an unreadable part stays with its reason', async () => {
  const draft = 'In $INPUTS.language: $plan.output.risk, \\$plan.output, $ARGUMENTS, $nope.output.x';
  const made = await preview({ step: ['build'], path: ['config', 'script'], draft: `echo "${draft}"` });
  expect(made).toMatchObject({ run: null, error: null });
  expect(Object.values(made.env)).toEqual(['German', '<risk of plan>', '<ARGUMENTS>', '$nope.output.x']);
  const text = await preview({ step: ['rounds'], path: ['config', 'gate_message'], draft });
  expect(text.text).toBe('In German: <risk of plan>, $plan.output, <ARGUMENTS>, $nope.output.x');
  expect(text.samples).toEqual(['$INPUTS.language', '$plan.output.risk', '$ARGUMENTS']);
  expect(text.problems.map(({ from, to, message }) => [draft.slice(from, to), message])).toEqual([
    ['$nope.output.x', '$nope.output.x: there is no step "nope"'],
  ]);
  expect(text.references.map(({ from, to }) => draft.slice(from, to))).toEqual([
    '$INPUTS.language',
    '$plan.output.risk',
    '$ARGUMENTS',
    '$nope.output.x',
  ]);
});

test('a condition is decided, and one that cannot be read says why', async () => {
  const path = ['when'];
  expect(await preview({ step: ['build'], path, draft: "$plan.status == 'failed'" })).toMatchObject({
    text: 'false',
  });
  expect(await preview({ step: ['build'], path, draft: '$plan.status = 1' })).toMatchObject({
    text: null,
    problems: [{ severity: 'error' }],
  });
});

test('a preview has the values of the last run, and samples only for what that run did not reach', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ response: '{"risk": "low", "size": 12345678901234567890}' });
  await harness.run(
    { steps: [task('plan', { instruction: 'Plan' })], cables: [] },
    { instruction: 'the release' },
  );
  const state = harness.state();
  const draft = '$ARGUMENTS: $plan.output.size $plan.output.risk, $build.output';
  const made = await preview({ step: ['rounds', 'first'], path: ['config', 'instruction'], draft, state });
  expect(made).toMatchObject({
    text: 'the release: 12345678901234567890 low, <output of build>',
    run: { id: 7 },
    samples: ['$build.output'],
    problems: [],
  });
});

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { yamlText } from '@main/adapters/yaml/write';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { WorkflowFiles } from '../workflow-files';
import { Conversions } from './';

/** Converts the first of several workflows in one folder, and loads the result. */
async function converted(text: string, others: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-nested-'));
  mkdirSync(join(folder, 'workflows'));
  const source = join(folder, 'workflows', 'a.yaml');
  writeFileSync(source, text);
  for (const [name, other] of Object.entries(others)) writeFileSync(join(folder, 'workflows', name), other);
  const conversions = new Conversions({ reader: yamlReader, registry: stepRegistry, write: yamlText });
  const found = await conversions.convert(source);
  if (!found.ok || found.value[0]?.text == null) throw new Error('not converted');
  const [{ text: made, keys }] = found.value;
  writeFileSync(join(folder, 'b.yaml'), made);
  const files = new WorkflowFiles({
    reader: yamlReader,
    registry: stepRegistry,
    defaultProfile: () => null,
    profiles: () => ({ claude: { ...fakeProfile, id: 'claude' }, codex: { ...fakeProfile, id: 'codex' } }),
  });
  const { definition, problems } = await files.load(join(folder, 'b.yaml'), 'b.yaml', folder);
  const errors = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  const config = (id: string) => definition?.steps.find((step) => step.id === id)?.config;
  const told = keys.map(({ node, key, line, file, result }) =>
    [file === undefined ? '' : `${file}:`, `${line} ${node}.${key} ${result}`].join(''),
  );
  return { definition, errors, config, told };
}

const named = (name: string, nodes: string) => `name: ${name}\nnodes:\n${nodes}`;

test('A group of nodes in a loop becomes the body of a step.loop, with its own cables and the pass before', async () => {
  const { definition, errors, config, told } = await converted(
    named(
      'Fix',
      `  - {id: fetch, bash: echo issue}
  - id: build
    loop_group:
      until: CLEAN
      until_bash: test -e done
      max_iterations: 3
      fresh_context: true
      nodes:
        - {id: implement, prompt: "Fix $fetch.output. Before: $LOOP_PREV.review.output"}
        - {id: review, prompt: "Look at $implement.output", depends_on: [implement]}
`,
    ),
  );
  expect(errors).toEqual([]);
  expect(config('build')).toMatchObject({
    until: 'CLEAN',
    until_command: 'test -e done',
    max_iterations: 3,
    body: {
      steps: [
        { id: 'implement', config: { instruction: 'Fix $fetch.output. Before: $LOOP_PREV.review.output' } },
        { id: 'review' },
      ],
      cables: [{ from: 'implement.data_out', to: 'review.data_in' }],
    },
  });
  // The text of the body refers to it.
  expect(definition?.cables).toEqual([{ from: 'fetch.signal_out', to: 'build.signal_in' }]);
  expect(told).toContain('9 build.loop_group.fresh_context carried_over');
  expect(told).toContain('11 build/implement.prompt changed');
});

const BLOCK = `name: block
provider: codex
inputs: {base: {required: true}, focus: {default: bugs}}
returns: critique
nodes:
  - {id: gather, bash: 'git diff "$INPUTS.base"'}
  - {id: critique, prompt: "Look for $INPUTS.focus in $gather.output, for $ARGUMENTS", depends_on: [gather]}
`;

test('An included workflow becomes a body with its inputs, agents and result', async () => {
  const { errors, config, told } = await converted(
    named(
      'Whole',
      `  - {id: gather, bash: echo main}
  - {id: review, include: block, with: {base: $gather.output}, depends_on: [gather]}
  - {id: end, prompt: "$review.output", depends_on: [review]}
`,
    ),
    { 'block.yaml': BLOCK },
  );
  expect(errors).toEqual([]);
  expect(config('review')).toMatchObject({
    inputs: { base: '$gather.output', focus: 'bugs' },
    body: {
      output: 'critique',
      steps: [
        { id: 'gather', config: { script: 'git diff "$INPUTS.base"' } },
        {
          id: 'critique',
          config: {
            instruction: 'Look for $INPUTS.focus in $gather.output, for $ARGUMENTS',
            acp_profile_id: 'codex',
          },
        },
      ],
    },
  });
  expect(told).toContain('block.yaml:7 review/critique.prompt changed');
});

test('A called workflow has its input as ARGUMENTS, once or for each item of a list', async () => {
  const child = named('child', '  - {id: say, bash: echo "$ARGUMENTS"}\n');
  const { errors, config } = await converted(
    named(
      'Parent',
      `  - id: list
    bash: echo '["a"]'
  - {id: once, workflow: child, input: "it is $list.output", isolation: inherit, depends_on: [list]}
  - {id: each, workflow: child, fan_out: {items: $list.output, max_parallel: 2, join: all_success}, depends_on: [list]}
`,
    ),
    { 'child.yaml': child },
  );
  expect(errors).toEqual([]);
  const body = { steps: [{ id: 'say', config: { script: 'echo "$INPUTS.arguments"' } }] };
  expect(config('once')).toMatchObject({ inputs: { arguments: 'it is $list.output' }, body });
  expect(config('each')).toMatchObject({
    for_each: {
      items: '$list.output',
      as: 'arguments',
      max_parallel: 2,
      join: 'all_success',
      isolation: 'inherit',
    },
    body,
  });
});

test('A workflow that would call itself is replaced by a step that fails, with all of its keys reported', async () => {
  const { errors, told } = await converted(named('Self', '  - {id: again, workflow: Self, input: x}\n'));
  expect(errors).toEqual([]);
  expect(told.filter((line) => line.endsWith('not_carried_over'))).toEqual([
    'a.yaml:3 again/again.workflow not_carried_over',
    'a.yaml:3 again/again.input not_carried_over',
  ]);
});

test('Keys in approvals, retries and inputs that are not carried over are reported with their lines', async () => {
  const { errors, told } = await converted(`name: Asks
inputs:
  x: {required: false, pattern: a}
nodes:
  - id: ok
    retry: {max_attempts: 1, jitter: true}
    approval:
      message: Good?
      timeout: 5
      on_reject: {prompt: Mend it, max_attempts: 1, model: large}
  - id: pick
    approval: {message: Which?, capture_response: true, decisions: [{id: a, label: A, color: red}, {id: b}]}
`);
  expect(errors).toEqual([]);
  expect(told.filter((line) => line.endsWith('not_carried_over'))).toEqual([
    '3 null.inputs.x.pattern not_carried_over',
    '9 ok.approval.timeout not_carried_over',
    '10 ok.approval.on_reject.model not_carried_over',
    '10 ok.approval.on_reject not_carried_over',
    '6 ok.retry.jitter not_carried_over',
    '12 pick.approval.capture_response not_carried_over',
    '12 pick.approval.decisions[0].color not_carried_over',
  ]);
});

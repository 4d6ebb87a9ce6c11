import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';

const WORKFLOW = `name: W
steps:
  - id: a
    type: step.agent_task
    config: {instruction: x, acp_profile_id: fake}
  - id: b
    type: step.agent_task
    config:
      instruction_file: texts/b.md
      acp_profile_id: fake
cables:
  - {from: a.data_out, to: b.data_in}
`;

async function loaded(text: string | null, workflow = WORKFLOW) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-instruction-'));
  mkdirSync(join(folder, 'texts'));
  if (text !== null) writeFileSync(join(folder, 'texts', 'b.md'), text);
  writeFileSync(join(folder, 'w.yaml'), workflow);
  const files = new WorkflowFiles({
    reader: yamlReader,
    registry: stepRegistry,
    profiles: () => ({ fake: fakeProfile }),
    defaultProfile: () => 'fake',
  });
  return files.load(join(folder, 'w.yaml'), 'w.yaml', folder);
}

test('the text of an instruction file is in the plan that a run freezes', async () => {
  const { plan, definition, problems } = await loaded('Use $a.output.\n');
  expect(problems).toEqual([]);
  expect(plan?.definition.steps[1]?.config).toEqual({
    instruction: 'Use $a.output.\n',
    acp_profile_id: 'fake',
  });
  expect(definition?.steps[1]?.config.instruction_file, 'what is edited stays as it was written').toBe(
    'texts/b.md',
  );
});

test('a wrong reference in an instruction file is reported with its line there', async () => {
  const { plan, problems } = await loaded('Fine: $a.output\nand $nope.output.x');
  expect(plan).toBeNull();
  expect(problems).toMatchObject([
    { code: 'validation.reference', where: { file: 'texts/b.md', line: 2, column: 5 } },
  ]);
});

test.each([
  [null, WORKFLOW, 'there is no file texts/b.md'],
  ['  \n', WORKFLOW, 'texts/b.md is empty'],
  ['x', WORKFLOW.replace('texts/b.md', '../outside.md'), 'there is no file ../outside.md'],
  ['x', WORKFLOW.replace('acp_profile_id: fake\ncables', 'instruction: y\ncables'), 'it has both'],
  ['x', WORKFLOW.replace('step.agent_task\n    config:\n', 'step.approval\n    config:\n'), 'not known here'],
])('an instruction_file is refused with its reason where the file is %j', async (text, workflow, message) => {
  const { plan, problems } = await loaded(text, workflow);
  expect(plan).toBeNull();
  expect(problems.map((one) => [one.message.includes(message), one.where?.line])).toContainEqual([true, 9]);
});

const NESTED = `name: W
steps:
  - id: again
    type: step.loop
    config:
      max_iterations: 2
      until: DONE
      body:
        steps:
          - id: b
            type: step.agent_task
            config: {instruction_file: texts/b.md, acp_profile_id: fake}
  - id: compare
    type: step.experiment
    config:
      target:
        id: c
        type: step.agent_task
        config: {instruction: x, acp_profile_id: fake}
      variants:
        - {name: short}
        - {name: from a file, config_overrides: {instruction_file: texts/b.md}}
`;

test('Instruction files are read in bodies, and in the variants of an experiment', async () => {
  const { plan, problems } = await loaded('From the file.', NESTED);
  expect(problems).toEqual([]);
  const told = ['again[1]/b', 'compare[1]/c', 'compare[2]/c'].map(
    (key) => plan?.steps.get(key)?.definition.config.instruction,
  );
  expect(told).toEqual(['From the file.', 'x', 'From the file.']);
});

test('A fault in or with an instruction file of a body is reported at its place', async () => {
  const missing = await loaded(null, NESTED);
  expect(missing.problems.map(({ where }) => [where?.path, where?.line])).toEqual([
    ['steps[0].config.body.steps[0].config.instruction_file', 12],
    ['steps[1].config.variants[1].config_overrides.instruction_file', 22],
  ]);
  const { problems } = await loaded('Fine\nand $nope.output.x', NESTED);
  expect(problems.map(({ where }) => where)).toMatchObject([
    { file: 'texts/b.md', line: 2, column: 5 },
    { file: 'texts/b.md', line: 2, column: 5 },
  ]);
});

test('A missing file that a step in a body attaches is reported when the file is loaded', async () => {
  const attached = NESTED.replace(
    'instruction_file: texts/b.md, acp_profile_id: fake}\n  - id: compare',
    'instruction: x, acp_profile_id: fake, re_prompts: [{text: y, attachments: [gone.txt]}]}\n  - id: compare',
  );
  const { problems } = await loaded('x', attached);
  expect(problems).toMatchObject([
    { code: 'validation.file_missing', message: expect.stringContaining('gone.txt'), where: { line: 5 } },
  ]);
});

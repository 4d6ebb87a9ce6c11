import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import { stepRegistry } from '@features/core';
import { expect, test } from 'vitest';
import { yamlReader } from '../adapters/yaml/document';
import { fakeProfile } from '../core/engine/testing/harness';

const files = new WorkflowFiles({
  reader: yamlReader,
  registry: stepRegistry,
  profiles: () => ({ fake: fakeProfile }),
  defaultProfile: () => 'fake',
});

/** A file's errors: code, line and message. */
async function errorsOf(text: string) {
  const project = mkdtempSync(join(tmpdir(), 'muster-bad-'));
  writeFileSync(join(project, 'w.yaml'), text);
  const { problems } = await files.load(join(project, 'w.yaml'), 'w.yaml', project);
  return problems.filter(({ severity }) => severity === 'error');
}

const step = (type: string, config: string) =>
  `name: w\nsteps:\n  - id: a\n    type: ${type}\n    config:\n${config.replace(/^/gm, '      ')}\n`;
const BODY = 'steps: [{id: b, type: step.command, config: {script: x}}]';
const COMMAND = '{script: x}';

/** Every place of the language that has keys, with an unknown one. */
const PLACES: Readonly<Record<string, string>> = {
  workflow: `name: w\nodd: 1\nsteps:\n  - {id: a, type: step.command, config: ${COMMAND}}\n`,
  budget: `name: w\nbudget: {tokens: 1, odd: 1}\nsteps:\n  - {id: a, type: step.command, config: ${COMMAND}}\n`,
  worktree: `name: w\nworktree: {odd: 1}\nsteps:\n  - {id: a, type: step.command, config: ${COMMAND}}\n`,
  input: `name: w\ninputs: {x: {default: "1", odd: 1}}\nsteps:\n  - {id: a, type: step.command, config: ${COMMAND}}\n`,
  step: `name: w\nsteps:\n  - {id: a, type: step.command, odd: 1, config: ${COMMAND}}\n`,
  retry: `name: w\nsteps:\n  - {id: a, type: step.command, retry: {max_attempts: 1, odd: 1}, config: ${COMMAND}}\n`,
  position: `name: w\nsteps:\n  - {id: a, type: step.command, position: {x: 1, y: 1, odd: 1}, config: ${COMMAND}}\n`,
  cable: `name: w\nsteps:\n  - {id: a, type: step.command, config: ${COMMAND}}\n  - {id: b, type: step.command, config: ${COMMAND}}\ncables: [{from: a.signal_out, to: b.signal_in, odd: 1}]\n`,
  config: step('step.command', 'script: x\nodd: 1'),
  'config of an agent task': step('step.agent_task', 'instruction: x\nodd: 1'),
  on_reject: step('step.approval', 'message: x\non_reject: {prompt: x, odd: 1}'),
  expires: step('step.approval', 'message: x\nexpires: {minutes: 5, outcome: reject, odd: 1}'),
  decision: step('step.approval', 'message: x\ndecisions: [{id: a, label: A}, {id: b, label: B, odd: 1}]'),
  loop: step('step.loop', 'prompt: x\nuntil: DONE\nmax_iterations: 2\nodd: 1'),
  'body of a loop': step('step.loop', `until: DONE\nmax_iterations: 2\nbody: {${BODY}, odd: 1}`),
  'step in a body': step(
    'step.loop',
    'until: DONE\nmax_iterations: 2\nbody: {steps: [{id: b, type: step.command, odd: 1, config: {script: x}}]}',
  ),
  'config in a body': step(
    'step.workflow',
    'body: {steps: [{id: b, type: step.command, config: {script: x, odd: 1}}]}',
  ),
  'cable in a body': step(
    'step.workflow',
    'body: {steps: [{id: b, type: step.command, config: {script: x}}, {id: c, type: step.command, config: {script: x}}], cables: [{from: b.signal_out, to: c.signal_in, odd: 1}]}',
  ),
  for_each: step('step.workflow', `for_each: {items: [a], odd: 1}\nbody: {${BODY}}`),
  criterion: step('step.judge', 'criteria: [{id: a, description: x, odd: 1}]'),
  participant: step('step.panel', 'topic: x\nrounds: 1\nparticipants: [{name: A}, {name: B, odd: 1}]'),
  moderator: step(
    'step.panel',
    'topic: x\nrounds: 1\nparticipants: [{name: A}, {name: B}]\nmoderator: {odd: 1}',
  ),
  variant: step(
    'step.experiment',
    'target: {id: t, type: step.command, config: {script: x}}\nvariants: [{name: a}, {name: b, odd: 1}]',
  ),
};

test.each(Object.entries(PLACES))('an unknown key in %s is one clear error at its line', async (_, text) => {
  const errors = await errorsOf(text);
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('odd')]);
  const line = text.slice(0, text.indexOf('odd: 1')).split('\n').length;
  expect([errors[0]?.code, errors[0]?.where?.line]).toEqual(['validation.unknown_key', line]);
  expect(errors[0]?.mend).toBeTruthy();
});

test('a context.md that cannot be read is an error of each workflow, so that no agent works without it', async () => {
  const project = mkdtempSync(join(tmpdir(), 'muster-bad-'));
  mkdirSync(join(project, '.muster'));
  writeFileSync(join(project, '.muster', 'context.md'), Buffer.from('Gr\xfc\xdfe', 'latin1'));
  writeFileSync(join(project, 'w.yaml'), step('step.command', 'script: x'));
  const { problems, plan } = await files.load(join(project, 'w.yaml'), 'w.yaml', project);
  expect(problems).toMatchObject([
    {
      severity: 'error',
      message: `${join('.muster', 'context.md')} is not read: it is not in UTF-8`,
      mend: 'save it as UTF-8',
    },
  ]);
  expect(plan).toBeNull();
});

test.each(['ARGUMENTS', 'INPUTS', 'ITEM', 'LOOP_PREV', 'LOOP_USER_INPUT', 'DOCS_DIR'])(
  'a step with the id %s is refused, because it would hide a variable',
  async (id) => {
    const errors = await errorsOf(
      `name: w\nsteps:\n  - {id: ${id}, type: step.command, config: ${COMMAND}}\n`,
    );
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain(id);
    expect(errors[0]?.where?.line).toBe(3);
  },
);

test('an input that a called workflow needs and is not given is one error at the call', async () => {
  const project = mkdtempSync(join(tmpdir(), 'muster-bad-'));
  writeFileSync(
    join(project, 'c.yaml'),
    `name: c\ninputs: {who: {}}\nsteps:\n  - {id: a, type: step.command, config: ${COMMAND}}\n`,
  );
  writeFileSync(join(project, 'w.yaml'), step('step.workflow', 'file: c.yaml'));
  const { problems } = await files.load(join(project, 'w.yaml'), 'w.yaml', project);
  expect(problems.map(({ severity, message }) => [severity, message])).toEqual([
    ['error', expect.stringContaining('who')],
  ]);
});

const COMMANDS = '{id: a, type: step.command, config: {script: x}}';

test.each([
  ['no YAML', 'name: [', 'validation.yaml'],
  ['no steps', 'name: w\n', 'validation.config'],
  ['two steps of one id', `name: w\nsteps: [${COMMANDS}, ${COMMANDS}]\n`, 'validation.duplicate_id'],
  [
    'a cable from nowhere',
    `name: w\nsteps: [${COMMANDS}]\ncables: [{from: x.signal_out, to: a.signal_in}]\n`,
    'validation.dangling_cable',
  ],
  [
    'a cable to no port',
    `name: w\nsteps: [${COMMANDS}]\ncables: [{from: a.signal_out, to: a.odd}]\n`,
    'validation.unknown_port',
  ],
  [
    'an unknown type',
    'name: w\nsteps: [{id: a, type: step.odd, config: {}}]\n',
    'validation.unknown_step_type',
  ],
  ['a missing key', 'name: w\nsteps: [{id: a, type: step.command, config: {}}]\n', 'validation.config'],
  [
    'a condition that is none',
    'name: w\nsteps: [{id: a, type: step.command, when: "1 ==", config: {script: x}}]\n',
    'validation.condition',
  ],
])('every problem of a file with %s says what to do about it', async (_, text, code) => {
  const errors = await errorsOf(text);
  expect(errors.map((one) => one.code)).toContain(code);
  for (const { message, mend } of errors) expect(mend, message).toBeTruthy();
});

import { stepRegistry } from '@features/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { workflowDefinitionSchema } from '../../../contract/definition';
import type { Knowledge, Schema } from './json-schema';
import { optionsAt } from './options';

const schema = (of: z.ZodType) => z.toJSONSchema(of, { io: 'input', unrepresentable: 'any' }) as Schema;

const knowledge: Knowledge = {
  workflow: schema(workflowDefinitionSchema),
  types: [...stepRegistry.values()].map(({ type, title, config }) => ({
    type,
    title,
    config: schema(config),
  })),
  agents: ['claude'],
  steps: ['draft'],
  inputs: ['lang'],
  outputs: ['draft.data_out'],
  inlets: ['draft.data_in'],
};
const labels = (marked: string) =>
  optionsAt(marked.replace('|', ''), marked.indexOf('|'), knowledge)?.options.map(({ label }) => label) ?? [];

test('keys of the workflow, of a step and of its type are offered, without the present ones', () => {
  expect(labels('name: w\n|')).toEqual(
    expect.arrayContaining(['steps', 'inputs', 'returns', 'max_parallel']),
  );
  expect(labels('name: w\n|')).not.toContain('name');
  expect(labels('steps:\n  - id: a\n    |')).toEqual(
    expect.arrayContaining(['type', 'when', 'retry', 'config']),
  );
  expect(labels('steps:\n  - id: a\n    type: step.loop\n    config:\n      un|')).toEqual(
    expect.arrayContaining(['until', 'until_command', 'max_iterations']),
  );
  expect(labels('steps:\n  - id: a\n    retry:\n      |')).toEqual(['max_attempts', 'delay_seconds', 'on']);
});

test('steps in a body are offered the keys of a step', () => {
  const body =
    'steps:\n  - id: a\n    type: step.loop\n    config:\n      body:\n        steps:\n          - id: b\n';
  expect(labels(`${body}            |`)).toEqual(expect.arrayContaining(['type', 'config']));
  expect(labels(`${body}            type: step.command\n            config:\n              |`)).toContain(
    'script',
  );
});

test('values are offered: types, agents, ends of cables, choices', () => {
  expect(labels('steps:\n  - id: a\n    type: |')).toEqual(
    expect.arrayContaining(['step.command', 'step.team']),
  );
  expect(
    labels('steps:\n  - id: a\n    type: step.agent_task\n    config:\n      acp_profile_id: c|'),
  ).toEqual(['claude']);
  expect(labels('cables:\n  - from: |')).toEqual(['draft.data_out']);
  expect(labels('steps:\n  - id: a\n    trigger_rule: |')).toContain('all_done');
  expect(labels('steps:\n  - id: a\n    type: step.loop\n    config:\n      interactive: |')).toEqual([
    'true',
    'false',
  ]);
});

test('references are offered behind a dollar sign, also in a block of text', () => {
  expect(labels('steps:\n  - id: a\n    config:\n      script: >-\n        echo $|')).toEqual(
    expect.arrayContaining(['$draft.output', '$INPUTS.lang', '$ARGUMENTS']),
  );
  expect(labels('description: costs \\$|')).toEqual([]);
});

import { stepRegistry } from '@features/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { workflowFields } from '../workflow-fields';
import { type Field, fieldsOf, freshValue, listName, optionOf, scalarLike, unknownKeys } from './fields';

const schemaOf = (type: string) =>
  z.json().parse(z.toJSONSchema(stepRegistry.get(type)?.config ?? z.never(), { io: 'input' }));
const kinds = (fields: readonly Field[]) =>
  fields.map(({ key, required, of }) => `${key}${required ? '*' : ''}: ${of.kind}`);

/** The fields of a schema with their nested fields, by their keys. */
const within = (fields: readonly Field[], at: string): [string, Field][] =>
  fields.flatMap((field): [string, Field][] => {
    const { of } = field;
    const here = `${at} ${field.key}`;
    const inner = of.kind === 'group' ? of.fields : of.kind === 'list' || of.kind === 'map' ? [of.item] : [];
    const options = of.kind === 'union' ? of.options.map((one) => one.field) : [];
    return [[here, field], ...within([...inner, ...options], here)];
  });
const all = () => [...stepRegistry.keys()].flatMap((type) => within(fieldsOf(schemaOf(type)), type));

test('every value of every step type has a form, and JSON stands only where any value may', () => {
  const json = all().flatMap(([at, { of }]) => (of.kind === 'json' ? [at] : []));
  expect(json).toEqual([
    'step.experiment target output_format',
    'step.experiment target config',
    'step.experiment variants variant config_overrides',
    'step.workflow for_each items items',
  ]);
});

test('every key of a workflow beside its steps and cables has a form, and an input says when it is required', () => {
  const fields = workflowFields();
  expect(kinds(fields)).toEqual([
    ...['name*: text', 'description: text', 'workspace: choice', 'worktree: group', 'host: text'],
    'lost_after: text',
    ...['max_parallel: number', 'budget: group', 'inputs: map'],
    ...['base_branch: text', 'docs_dir: text', 'returns: text'],
  ]);
  expect(within(fields, '').filter(([, { of }]) => of.kind === 'json')).toEqual([]);
  const inputs = fields.find(({ key }) => key === 'inputs')?.of;
  if (inputs?.kind !== 'map' || inputs.item.of.kind !== 'group')
    throw new Error('inputs are no map of groups');
  expect(new RegExp(inputs.names ?? '').test('1st')).toBe(false);
  expect(kinds(inputs.item.of.fields)).toEqual([
    ...['type: choice', 'default: union', 'required: union', 'description: text'],
  ]);
});

test('maps, unions and pickers are found in the schemas of step types', () => {
  const kindAt = new Map(all().map(([at, { of }]) => [at, of.kind]));
  expect([
    kindAt.get('step.command env'),
    kindAt.get('step.workflow inputs'),
    kindAt.get('step.workflow file'),
    kindAt.get('step.workflow for_each items'),
    kindAt.get('step.loop body'),
    kindAt.get('step.team lead'),
    kindAt.get('step.team members member agent'),
    kindAt.get('step.ralph retry_profile'),
    kindAt.get('step.rlm documents document'),
  ]).toEqual(['map', 'map', 'workflow', 'union', 'steps', 'union', 'profile', 'profile', 'file']);
});

test('a value of several forms is known by its form, and a new one begins with what it must have', () => {
  const lead = fieldsOf(schemaOf('step.team')).find(({ key }) => key === 'lead')?.of;
  const options = lead?.kind === 'union' ? lead.options : [];
  expect(options.map(({ label }) => label)).toEqual(['Operator', 'Agent']);
  expect([optionOf(options, 'operator'), optionOf(options, { agent: 'x' }), optionOf(options, 7)]).toEqual([
    0, 1, -1,
  ]);
  expect(options[1] && freshValue(options[1].field)).toEqual({ agent: '' });
});

test('a value of a map stays a number or a yes or no where it was one', () => {
  expect([
    scalarLike(3, '4'),
    scalarLike(3, 'four'),
    scalarLike(true, 'false'),
    scalarLike('3', '4'),
  ]).toEqual([...[4, 'four', false, '4']]);
});

test('lists of the same name are told apart by the entry that they belong to', () => {
  expect(listName('Re-prompts', ['config', 're_prompts'])).toBe('Re-prompts');
  expect(listName('Re-prompts', ['config', 'agents', 1, 're_prompts'])).toBe('Re-prompts of agent 2');
  const nested = ['config', 'agents', 0, 'agent_config', 'env'];
  expect(listName('Environment', nested)).toBe('Environment of agent 1');
});

test('the fields of coding are shown with their limits, choices and lists', () => {
  const fields = fieldsOf(schemaOf('step.coding'));
  expect(kinds(fields)).toContain('agents*: list');
  const agents = fields.find(({ key }) => key === 'agents')?.of;
  expect(agents?.kind === 'list' && agents.item.of.kind === 'group' && kinds(agents.item.of.fields)).toEqual([
    'role*: text',
    'acp_profile_id: profile',
    'agent_config: group',
    'instruction_override: text',
    're_prompts: reprompts',
  ]);
  expect(fields.find(({ key }) => key === 'max_rounds')).toMatchObject({
    label: 'Max rounds',
    fallback: 3,
    hint: '1 to 20. 3 where it is empty.',
    of: { kind: 'number', min: 1, max: 20, isInteger: true },
  });
  expect(unknownKeys({ agents: [], colour: 'red' }, fields)).toEqual(['colour']);
});

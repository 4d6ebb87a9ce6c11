import { stepRegistry } from '@features/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Field, fieldsOf, unknownKeys } from './fields';

const schemaOf = (type: string) =>
  z.json().parse(z.toJSONSchema(stepRegistry.get(type)?.config ?? z.never(), { io: 'input' }));
const kinds = (fields: readonly Field[]) =>
  fields.map(({ key, required, of }) => `${key}${required ? '*' : ''}: ${of.kind}`);

test('every step type has a form, and only bodies and free values have none', () => {
  const left = [...stepRegistry.keys()].flatMap((type) =>
    fieldsOf(schemaOf(type))
      .filter(({ of }) => of.kind === 'yaml')
      .map(({ key }) => `${type} ${key}`),
  );
  expect(
    left.filter(
      (one) => !/ (body|lead|target|items|output_format|variants|inputs|check|input|values)$/.test(one),
    ),
  ).toEqual([]);
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
    ...{ label: 'Max rounds', fallback: 3, hint: '1 to 20. 3 where it is empty.' },
    of: { kind: 'number', min: 1, max: 20, whole: true },
  });
  expect(unknownKeys({ agents: [], colour: 'red' }, fields)).toEqual(['colour']);
});

import { expect, test } from 'vitest';
import { workflowDefinitionSchema } from '../../contract/definition';
import { draftWith, inputForm, writtenInputs } from './input-form';

const { inputs = {} } = workflowDefinitionSchema.parse({
  name: 'w',
  steps: [{ id: 'a', type: 'step.command' }],
  inputs: {
    title: { description: 'its name' },
    times: { type: 'number', default: 2 },
    deep: { type: 'boolean', required: false },
    lang: { default: 'English' },
  },
});
const shown = (written: Record<string, string>, asked = false) => {
  const { fields, given, valid } = inputForm(inputs, written, asked);
  return { errors: fields.map(({ error }) => error), given, valid };
};

test('An untouched form shows the defaults and gives none of them', () => {
  const { fields, given } = inputForm(inputs, {}, false);
  expect(fields.map(({ value }) => value)).toEqual(['', '2', '', 'English']);
  expect(given).toEqual({});
});

test('A missing value is reported at its field once the operator wants to start', () => {
  expect(shown({})).toMatchObject({ errors: [null, null, null, null], valid: false });
  expect(shown({}, true)).toMatchObject({ errors: ['Needs a value', null, null, null], valid: false });
  expect(shown({ title: '' }, true).errors[0]).toBe('Needs a value');
});

test('A value of another type is reported as it is written', () => {
  expect(shown({ title: 'x', times: 'many' })).toMatchObject({
    errors: [null, 'Not a number', null, null],
    valid: false,
  });
});

test('An emptied number takes its default, and an emptied text with a default is empty', () => {
  expect(shown({ title: 'x', times: '', lang: '' })).toMatchObject({
    given: { title: 'x', lang: '' },
    valid: true,
  });
});

test('Values of inputs that the file no longer has are not given', () => {
  expect(shown({ title: 'x', gone: 'y' })).toMatchObject({ given: { title: 'x' }, valid: true });
});

test('A draft keeps the entered values, under any name, and forgets a default that is entered again', () => {
  const input = inputs.lang ?? { type: 'string' as const };
  const draft = draftWith('', { name: '__proto__', input }, 'x');
  expect(Object.entries(writtenInputs(draft))).toEqual([['__proto__', 'x']]);
  expect(
    draftWith(draftWith('', { name: 'lang', input }, 'French'), { name: 'lang', input }, 'English'),
  ).toBe('');
  expect(writtenInputs('no JSON')).toEqual({});
});

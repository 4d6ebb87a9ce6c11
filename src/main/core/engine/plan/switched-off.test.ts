import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { stepRegistry } from '@features/core';
import { expect, test } from 'vitest';
import { makePlan } from './plan';

const command = (id: string, more: object = {}) => ({
  id,
  type: 'step.command',
  config: { script: 'make' },
  ...more,
});

const cable = (from: string, to: string) => ({ from: `${from}.signal_out`, to: `${to}.signal_in` });

function problems(off: object, begun = false) {
  const steps = [
    command('off', off),
    command('needs', { title: 'Needs it' }),
    command('after'),
    command('always', { trigger_rule: 'all_done' }),
  ];
  const cables = [cable('off', 'needs'), cable('needs', 'after'), cable('after', 'always')];
  const definition = workflowDefinitionSchema.parse({ name: 'w', steps, cables });
  const context = { registry: stepRegistry, profiles: {}, defaultProfile: null, begun };
  return makePlan(definition, context).problems;
}

test('a step that is switched off is a warning with its place that names what is skipped with it', () => {
  expect(problems({ disabled: true })).toMatchObject([
    {
      code: 'validation.switched_off',
      severity: 'warning',
      message:
        'step "off" is switched off: it is skipped, and so are the steps that need it: Needs it, after',
      where: { path: 'steps[0].disabled' },
    },
  ]);
});

test('a step that is on, or whose run has begun, gets no warning', () => {
  expect(problems({})).toEqual([]);
  expect(problems({ disabled: false })).toEqual([]);
  expect(problems({ disabled: true }, true)).toEqual([]);
});

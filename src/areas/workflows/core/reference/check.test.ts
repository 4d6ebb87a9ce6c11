import { expect, test } from 'vitest';
import { conditionProblems, type KnownNames } from './check';

const names: KnownNames = {
  step: 'b',
  steps: ['a', 'b', 'my-step'],
  inputs: ['mode'],
  variables: [],
  isStep: (id) => ['a', 'b', 'my-step'].includes(id),
  isUpstream: (id) => id === 'a',
  isPrevious: () => false,
  declared: () => null,
  isFreeText: () => false,
};

test.each([
  ["$a.status == 'failed' && $INPUTS.mode == 'x'", []],
  ["$a.output = 'x'", ['validation.condition 10']],
  [
    "$b.output == 'x' || $my_step.status == 'failed'",
    ['validation.reference_upstream 0', 'validation.reference 20'],
  ],
  [
    '$INPUTS.other == 1 && $my-step.output.x == 1',
    ['validation.reference 0', 'validation.reference_upstream 22'],
  ],
])('the condition %s has the problems %j', (text, expected) => {
  expect(conditionProblems(text, names).map(({ code, offset }) => `${code} ${offset}`)).toEqual(expected);
});

test('a step with a similar name is proposed', () => {
  expect(conditionProblems("$My_Step.status == 'failed'", names)).toMatchObject([
    { mend: 'did you mean $my-step.output?' },
  ]);
});

test('of the known steps a step itself is not proposed', () => {
  const [unknown] = conditionProblems("$other.status == 'failed'", names);
  expect(unknown?.mend).toBe('use one of: a, my-step');
});

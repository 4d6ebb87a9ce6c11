import type { Json } from '@contract/ids';
import { expect, test } from 'vitest';
import { aimOf } from './place';

const fix: Json = { id: 'fix', type: 'step.command', config: { script: 'true' } };
const body: Json = { steps: [fix], cables: [{ from: 'fix.data_out', to: 'gone.data_in' }] };
const document: Json = {
  name: 'x',
  steps: [
    { type: 'step.command' },
    { id: 'plan', type: 'step.agent_task', config: { re_prompts: [''] } },
    { id: 'again', type: 'step.loop', config: { body } },
  ],
  cables: [{ from: 'plan.data_out', to: 'again.data_in' }, 'no cable'],
};

test.each([
  [
    'a field of a step',
    'steps[1].config.re_prompts[0]',
    { kind: 'field', step: ['plan'], path: ['config', 're_prompts', 0] },
  ],
  ['a step as a whole', 'steps[1]', { kind: 'field', step: ['plan'], path: [] }],
  [
    'a field of a step inside a body',
    'steps[2].config.body.steps[0].config.script',
    { kind: 'field', step: ['again', 'fix'], path: ['config', 'script'] },
  ],
  ['a cable', 'cables[0].to', { kind: 'cable', body: [], from: 'plan.data_out', to: 'again.data_in' }],
  [
    'a cable inside a body',
    'steps[2].config.body.cables[0]',
    { kind: 'cable', body: ['again'], from: 'fix.data_out', to: 'gone.data_in' },
  ],
  ['a step without an id', 'steps[0].id', { kind: 'text' }],
  ['a cable that cannot be read', 'cables[1]', { kind: 'text' }],
  ['a key of the workflow', 'inputs.topic', { kind: 'field', step: [], path: ['inputs', 'topic'] }],
  ['the list of steps', 'steps', { kind: 'text' }],
  ['no place at all', undefined, { kind: 'text' }],
])('a problem of %s leads to its place', (_, path, aim) => {
  expect(aimOf(document, path)).toEqual(aim);
});

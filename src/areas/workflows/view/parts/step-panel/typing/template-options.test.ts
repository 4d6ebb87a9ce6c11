import { expect, test } from 'vitest';
import type { TemplateHelp } from '../../../../contract/template-help';
import { optionsOf, templateAt } from './template-options';

const step = { title: null, fields: null, upstream: false, previous: false };
const help: TemplateHelp = {
  fields: [
    { path: 'config.agents[].re_prompts[].text', kind: 'text', names: 0 },
    { path: 'config.inputs.*', kind: 'text', names: 0 },
    { path: 'config.variants[1].instruction_override', kind: 'text', names: 0 },
    { path: 'when', kind: 'condition', names: 0 },
  ],
  names: [
    {
      steps: [
        { ...step, id: 'plan', title: 'The plan', fields: ['risk'], upstream: true },
        { ...step, id: 'later' },
        { ...step, id: 'draft', previous: true },
      ],
      inputs: ['language'],
      variables: ['ITEM'],
    },
  ],
};

test('a template is found by its place, whichever entry of a list or map it is', () => {
  expect(templateAt(help, ['config', 'agents', 3, 're_prompts', 0, 'text'])?.kind).toBe('text');
  expect(templateAt(help, ['config', 'inputs', 'file'])?.kind).toBe('text');
  expect(templateAt(help, ['config', 'variants', 1, 'instruction_override'])?.kind).toBe('text');
  expect(templateAt(help, ['config', 'variants', 0, 'instruction_override'])).toBeNull();
  expect(templateAt(help, ['config', 'agents', 3])).toBeNull();
});

test('only references with a value by then are offered, and the state of a step in conditions only', () => {
  const labels = (path: string) =>
    optionsOf(
      templateAt(help, [path]) ??
        templateAt(help, ['config', 'inputs', 'x']) ?? { kind: 'text', names: null },
    ).map(({ label }) => label);
  expect(labels('text')).toEqual([
    ...['$plan.output', '$plan.output.risk', '$INPUTS.language', '$ITEM', '$LOOP_PREV.draft.output'],
  ]);
  expect(labels('when')).toContain('$plan.status');
});

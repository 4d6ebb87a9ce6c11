import { stepRegistry } from '@features/core';
import { expect, test } from 'vitest';
import type { StepDefinition } from '../contract/definition';
import { portsOfType, stepPorts } from './workflow-ports';

const names = (ports: readonly { readonly name: string }[] | undefined) => ports?.map(({ name }) => name);

test('every type of step has ports before it is configured', () => {
  for (const module of stepRegistry.values()) {
    const ports = portsOfType(module);
    expect(ports.inputs.length + ports.outputs.length, module.type).toBeGreaterThan(0);
  }
});

test('a step with a wrong configuration keeps the ports that the rest of it gives', () => {
  const config = { re_prompts: ['Again.'], separate_outputs: true, nonsense: 1, instruction: 7 };
  const ports = stepPorts([{ id: 'work', type: 'step.agent_task', config }], stepRegistry);
  expect(names(ports.work?.outputs)).toEqual(expect.arrayContaining(['data_out', 'reprompt_1_out']));
});

test('steps in a body are found by their path, and those of an unknown type have no ports', () => {
  const body = { steps: [{ id: 'fix', type: 'step.command', config: {} }], cables: [] };
  const steps: StepDefinition[] = [
    { id: 'again', type: 'step.loop', config: { body, max_iterations: 3, until: 'DONE' } },
    { id: 'odd', type: 'step.nothing', config: {} },
  ];
  expect(Object.keys(stepPorts(steps, stepRegistry))).toEqual(['again', 'again/fix']);
});

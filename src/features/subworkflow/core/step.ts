import type { PortSpec } from '@areas/workflows/contract/definition';
import { defineStep } from '@main/core/step/module';
import { bodyOf, type SubworkflowConfig, subworkflowConfigSchema, validateSubworkflow } from './config';
import { decideSubworkflow } from './decide';

const inputs: PortSpec[] = [
  { name: 'data_in', label: 'Data', kind: 'bundle', description: 'Goes to the first steps of the workflow' },
  { name: 'context_in', label: 'Context', kind: 'bundle' },
  { name: 'instruction_in', label: 'Instruction', kind: 'bundle' },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];
const outputs: PortSpec[] = [
  {
    name: 'data_out',
    label: 'Output',
    kind: 'bundle',
    description: 'The outputs of its last steps; for items, a list',
  },
  { name: 'signal_out', label: 'Done', kind: 'signal' },
  { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
];

export const subworkflow = defineStep<SubworkflowConfig>({
  type: 'step.workflow',
  version: 1,
  title: 'Workflow',
  description: 'Runs another workflow, or several steps, once or for each item of a list.',
  config: subworkflowConfigSchema,
  templates: [
    { path: 'inputs.*', kind: 'text' },
    { path: 'for_each.items', kind: 'text', decides: true },
  ],
  onInterrupt: null,
  ports: () => ({ inputs, outputs }),
  body: bodyOf,
  validate: validateSubworkflow,
  decide: decideSubworkflow,
});

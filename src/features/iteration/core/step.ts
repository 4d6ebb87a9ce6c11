import type { PortSpec } from '@areas/workflows/contract/definition';
import { defineStep } from '@main/core/step/module';
import { bodyOf, type IterationConfig, iterationConfigSchema, validateIteration } from './config';
import { decideIteration, observePass } from './decide';

const inputs: PortSpec[] = [
  { name: 'data_in', label: 'Data', kind: 'bundle', description: 'Goes to the first steps of each pass' },
  { name: 'context_in', label: 'Context', kind: 'bundle' },
  { name: 'instruction_in', label: 'Instruction', kind: 'bundle' },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];
const outputs: PortSpec[] = [
  { name: 'data_out', label: 'Output', kind: 'bundle', description: 'The output of the last pass' },
  { name: 'signal_out', label: 'Done', kind: 'signal' },
  { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
];

export const iteration = defineStep<IterationConfig>({
  type: 'step.loop',
  version: 1,
  title: 'Loop',
  description: 'Repeats a prompt or several steps until they are done.',
  config: iterationConfigSchema,
  templates: [
    { path: 'until_command', kind: 'script' },
    { path: 'gate_message', kind: 'text' },
  ],
  takesFormat: true,
  // Its only commands are checks.
  onInterrupt: 'retry',
  repeatsCommands: true,
  ports: () => ({ inputs, outputs }),
  body: bodyOf,
  validate: validateIteration,
  decide: decideIteration,
  observeScope: observePass,
});

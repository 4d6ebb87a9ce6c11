import type { PortSpec } from '@areas/workflows/contract/definition';
import { defineStep } from '@main/core/step/module';
import { bodyOf, type ExperimentConfig, experimentConfigSchema, validateExperiment } from './config';
import { decideExperiment } from './decide';

const inputs: PortSpec[] = [
  { name: 'data_in', label: 'Data', kind: 'bundle', description: 'Goes to the target in every variant' },
  { name: 'context_in', label: 'Context', kind: 'bundle' },
  { name: 'instruction_in', label: 'Instruction', kind: 'bundle' },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];
const outputs: PortSpec[] = [
  {
    name: 'data_out',
    label: 'Comparison',
    kind: 'bundle',
    description: 'The output, tokens, cost and time of each variant; a judge takes it as its target',
  },
  { name: 'signal_out', label: 'Done', kind: 'signal' },
  { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
];

export const experiment = defineStep<ExperimentConfig>({
  type: 'step.experiment',
  version: 1,
  title: 'Experiment',
  description: 'Runs one step in several variants and compares their results, cost and time.',
  config: experimentConfigSchema,
  onInterrupt: null,
  declares: () => ['target', 'variants'],
  ports: () => ({ inputs, outputs }),
  body: bodyOf,
  validate: validateExperiment,
  decide: decideExperiment,
});

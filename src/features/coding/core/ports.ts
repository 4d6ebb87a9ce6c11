import type { PortSpec } from '@areas/workflows/contract/definition';
import type { CodingConfig } from './config';

const inputs: readonly PortSpec[] = [
  { name: 'data_in', label: 'Data', kind: 'bundle' },
  { name: 'context_in', label: 'Context', kind: 'bundle' },
  { name: 'instruction_in', label: 'Instruction', kind: 'bundle' },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];

export function codingPorts(config: CodingConfig): {
  inputs: readonly PortSpec[];
  outputs: readonly PortSpec[];
} {
  const each = config.coordination === 'parallel' ? ', one entry for each agent' : '';
  return {
    inputs,
    outputs: [
      { name: 'data_out', label: 'Output', kind: 'bundle', description: 'All responses of all agents' },
      { name: 'diff_out', label: 'Diff', kind: 'bundle', description: `The changes${each}` },
      { name: 'files_out', label: 'Files', kind: 'bundle', description: `The files that changed${each}` },
      {
        name: 'summary_out',
        label: 'Summary',
        kind: 'bundle',
        description: 'The last response of each agent',
      },
      ...(config.capture_test_results
        ? [
            {
              name: 'test_results_out',
              label: 'Test results',
              kind: 'bundle' as const,
              description: 'The last test run of the agents themselves',
            },
          ]
        : []),
      { name: 'signal_out', label: 'Done', kind: 'signal', description: 'Sent once, after the last agent' },
      { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
    ],
  };
}

import type { PortSpec } from '@areas/workflows/contract/definition';
import { repromptText } from '@main/core/step/agent/reprompts';
import type { AgentTaskConfig } from './config';

/** A re-prompt of up to this length is used as its port's label (seed 000 section 5). */
const LABEL_LENGTH = 30;

/** Label of `reprompt_N_out`: the text itself if it is short. */
export function repromptLabel(text: string, index: number): string {
  return [...text].length <= LABEL_LENGTH && !text.includes('\n')
    ? `📄 "${text}"`
    : `📄 Re-prompt ${index + 1}`;
}

/** Port name of a named output: the letters and digits of its label. */
export function namedPort(label: string): string {
  const slug = label
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
  return `named_${slug === '' ? 'output' : slug}_out`;
}

export function agentTaskPorts(config: AgentTaskConfig): { inputs: PortSpec[]; outputs: PortSpec[] } {
  const separate: PortSpec[] = !config.separate_outputs
    ? []
    : [
        {
          name: 'original_out',
          label: 'Original Response',
          kind: 'bundle',
          description: 'Response to primary instruction only',
        },
        ...config.re_prompts.map(
          (entry, index): PortSpec => ({
            name: `reprompt_${index + 1}_out`,
            label: repromptLabel(repromptText(entry), index),
            kind: 'bundle',
            description: index === 0 ? 'Response to first follow-up' : `Response to follow-up ${index + 1}`,
          }),
        ),
      ];
  return {
    inputs: [
      { name: 'data_in', label: 'Data', kind: 'bundle' },
      { name: 'context_in', label: 'Context', kind: 'bundle' },
      { name: 'instruction_in', label: 'Instruction', kind: 'bundle' },
      { name: 'signal_in', label: 'Signal', kind: 'signal' },
    ],
    outputs: [
      { name: 'data_out', label: 'Output', kind: 'bundle', description: 'All responses, merged' },
      {
        name: 'signal_out',
        label: 'Done',
        kind: 'signal',
        description: 'Sent once, after the last response',
      },
      { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
      ...config.named_outputs.map((label): PortSpec => ({ name: namedPort(label), label, kind: 'bundle' })),
      ...separate,
    ],
  };
}

import type { PortSpec } from '@areas/workflows/contract/definition';
import { requiredText } from '@contract/bounds';
import { lazyStrictObject } from '@contract/lazy-object';
import { defineStep } from '@main/core/step/module';
import type { z } from 'zod';

const cancelConfigSchema = lazyStrictObject(() => ({
  /** The reason for ending the run. */
  reason: requiredText('write a reason: why does the run end?'),
}));
type CancelConfig = z.infer<typeof cancelConfigSchema>;

const inputs: PortSpec[] = [
  { name: 'data_in', label: 'Data', kind: 'bundle' },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];

/** What lies behind the step waits until its condition is decided, and goes on only if it is false. */
const outputs: PortSpec[] = [
  {
    name: 'signal_out',
    label: 'Not cancelled',
    kind: 'signal',
    description: 'Sent when the condition of the step is false',
    firesWhenSkipped: true,
  },
];

export const cancel = defineStep<CancelConfig>({
  notOnHost: () => null,
  type: 'step.cancel',
  version: 1,
  title: 'Cancel',
  description: 'Ends the run as cancelled, with a reason.',
  config: cancelConfigSchema,
  templates: [{ path: 'reason', kind: 'text' }],
  onInterrupt: null,
  ports: () => ({ inputs, outputs }),
  decide: ({ stepId, config }) => ({
    kind: 'tell',
    events: [{ type: 'run.cancel-requested', by: stepId, reason: config.reason.trim() }],
  }),
});

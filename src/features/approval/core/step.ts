import type { PortSpec } from '@areas/workflows/contract/definition';
import { agentRef } from '@main/core/step/agent/agent';
import { defineStep } from '@main/core/step/module';
import { turnUpdate } from '@main/core/step/update';
import { type ApprovalConfig, approvalConfigSchema } from './config';
import { decideApproval } from './decide';
import { validateApproval } from './validate';

const inputs: PortSpec[] = [
  { name: 'data_in', label: 'Data', kind: 'bundle', description: 'What you approve' },
  { name: 'context_in', label: 'Context', kind: 'bundle' },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];

function outputs({ capture_response, decisions, on_reject }: ApprovalConfig): PortSpec[] {
  const passes = capture_response ? {} : { passes: 'data_in' };
  const decided: PortSpec = { name: 'data_out', label: 'Decision', kind: 'bundle' };
  const revise: PortSpec = {
    name: 'revise_out',
    label: 'Revise',
    kind: 'bundle',
    leadsBack: true,
    description: 'The reason of a reject; may lead back',
  };
  return [
    ...(decisions === undefined ? [] : [decided]),
    { name: 'approved_out', label: 'Approved', kind: 'bundle', ...passes },
    ...(decisions === undefined && on_reject === undefined ? [revise] : []),
    { name: 'signal_out', label: 'Done', kind: 'signal' },
    { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
  ];
}

export const approval = defineStep<ApprovalConfig>({
  notOnHost: ({ on_reject }) =>
    on_reject === undefined ? null : 'the agent of on_reject does not run there yet',
  type: 'step.approval',
  version: 1,
  title: 'Approval',
  description: 'Waits until the operator approves, rejects, or takes one of several decisions.',
  config: approvalConfigSchema,
  templates: [
    { path: 'message', kind: 'text' },
    { path: 'on_reject.prompt', kind: 'text', variables: ['REJECTION_REASON'], later: true },
  ],
  onInterrupt: null,
  ports: (config) => ({ inputs, outputs: outputs(config) }),
  declares: ({ decisions }) => (decisions === undefined ? null : ['decision', 'text']),
  agents: ({ on_reject }) =>
    on_reject === undefined ? [] : [{ ...agentRef(on_reject), path: 'on_reject.acp_profile_id' }],
  sessions: () => ({ persist: false, continues: false, gives: false }),
  validate: validateApproval,
  decide: decideApproval,
  observe: (view, turn) => [turnUpdate(view, turn)],
});

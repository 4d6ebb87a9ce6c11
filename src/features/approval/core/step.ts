import type { GateOption } from '@contract/gate/gate';
import type { PortSpec } from '@contract/workflow/definition';
import { makeBundle, passOn } from '@main/core/step/bundle';
import { bundlePieces } from '@main/core/step/bundle-pieces';
import type { FinishDecision, GateDecision } from '@main/core/step/decision';
import { type ActivationView, defineStep } from '@main/core/step/module';
import { z } from 'zod';

export const approvalConfigSchema = z.lazy(() =>
  z.strictObject({
    message: z.string().min(1, 'a message is needed: what is the operator to decide?'),
    /** What the operator types becomes the output, instead of what came in. */
    capture_response: z.boolean().default(false),
    /** How often a reject may lead back over `revise_out` before it ends the run. */
    max_attempts: z.number().int().min(1).max(10).default(3),
  }),
);
type ApprovalConfig = z.infer<typeof approvalConfigSchema>;
type View = ActivationView<ApprovalConfig>;

const inputs: PortSpec[] = [
  { name: 'data_in', label: 'Data', kind: 'bundle', description: 'What is to be approved' },
  { name: 'context_in', label: 'Context', kind: 'bundle' },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];
const outputs = (passes: boolean): PortSpec[] => [
  { name: 'approved_out', label: 'Approved', kind: 'bundle', ...(passes ? { passes: 'data_in' } : {}) },
  {
    name: 'revise_out',
    label: 'Revise',
    kind: 'bundle',
    description: 'The reason of a reject; may lead back',
    leadsBack: true,
  },
  { name: 'signal_out', label: 'Done', kind: 'signal' },
  { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
];

function options(view: View): GateOption[] {
  const left = view.config.max_attempts - view.revisions;
  const leadsBack = view.connected.has('revise_out') && left > 0;
  return [
    {
      id: 'approve',
      ...(view.config.capture_response
        ? {
            label: 'Send answer',
            effect: 'Your answer becomes the output of this step.',
            needs: 'text' as const,
          }
        : { label: 'Approve', effect: 'The run goes on with what is shown here.' }),
      tone: 'approve',
    },
    {
      id: 'reject',
      label: 'Reject',
      needs: 'reason',
      effect: leadsBack
        ? `The step before works on it again with your reason (${left} of ${view.config.max_attempts} left).`
        : 'The run ends as rejected.',
      tone: 'reject',
    },
  ];
}

function ask(view: View): GateDecision {
  const shown = [...(view.inputs.data_in ?? []), ...(view.inputs.context_in ?? [])];
  return {
    kind: 'gate',
    gate: 'approval',
    title: view.title,
    message: view.config.message,
    evidence: shown.flatMap(bundlePieces),
    options: options(view),
  };
}

/** Opens the gate, then ends as the operator answered: approved, revised (leads back), or rejected (ends the run). */
function decide(view: View): GateDecision | FinishDecision {
  const answer = view.gates[view.gates.length - 1]?.answer ?? null;
  if (answer === null) return ask(view);
  const origin = { stepId: view.stepId, activationId: view.activationId, sessionKey: null };
  const receipt = {
    step_id: view.stepId,
    attempt: view.attempt,
    option: answer.option,
    reason: answer.reason ?? null,
  };
  const receipt_out = makeBundle(receipt, { ...origin, port: 'receipt_out' });
  const common = { kind: 'finish' as const, receipt, warnings: [], error: null };
  if (answer.option === 'approve') {
    const arrived = view.inputs.data_in ?? [];
    const at = { ...origin, port: 'approved_out' };
    const typed = view.config.capture_response || arrived.length === 0;
    const approved_out = typed ? makeBundle(answer.text ?? '', { ...at, kind: 'text' }) : passOn(arrived, at);
    return {
      ...common,
      outcome: 'succeeded',
      outputs: { approved_out, receipt_out },
      signals: ['approved_out', 'receipt_out', 'signal_out'],
    };
  }
  const leadsBack = view.connected.has('revise_out') && view.revisions < view.config.max_attempts;
  if (!leadsBack)
    return { ...common, outcome: 'rejected', outputs: { receipt_out }, signals: ['receipt_out'] };
  const revise_out = makeBundle(answer.reason ?? '', { ...origin, port: 'revise_out' });
  return {
    ...common,
    outcome: 'revised',
    outputs: { revise_out, receipt_out },
    signals: ['revise_out', 'receipt_out'],
  };
}

export const approval = defineStep<ApprovalConfig>({
  type: 'step.approval',
  version: 1,
  title: 'Approval',
  description: 'Waits until the operator approves or rejects.',
  config: approvalConfigSchema,
  templates: [{ path: 'message', kind: 'text' }],
  onInterrupt: null,
  ports: ({ capture_response }) => ({ inputs, outputs: outputs(!capture_response) }),
  agents: () => [],
  sessions: () => ({ persist: false, continues: false }),
  files: () => [],
  validate: () => [],
  decide,
  observe: () => [],
});

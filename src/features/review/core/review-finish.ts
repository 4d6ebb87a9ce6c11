import { readTail } from '@areas/evidence/contract/answer-tail';
import type { EvidenceKind } from '@areas/evidence/contract/evidence';
import type { ContextBundle } from '@areas/workflows/contract/definition';
import { type AppError, appError } from '@contract/errors';
import type { Json } from '@contract/ids';
import { chainLength } from '@main/core/step/agent/chain';
import { mergeResponses } from '@main/core/step/agent/reprompts';
import type { FinishDecision } from '@main/core/step/decision';
import { type Finding, findingsText, type ReadDecision } from '@main/core/step/decision-tail';
import type { ActivationView } from '@main/core/step/module';
import { makeBundle, passOn } from '@main/core/step/output/bundle';
import type { ReviewConfig } from './review-config';

type View = ActivationView<ReviewConfig>;
interface Ports {
  readonly findingsPort: string | null;
}

/**
 * `findings`: no explicit decision, but the findings require revise. `fail_on`: no explicit decision, and
 * findings cannot stop the run.
 */
export interface DecidedReview extends ReadDecision {
  readonly decidedBy: 'agent' | 'findings' | 'fail_on' | 'operator';
  readonly reason: string | null;
}

/** A revise leads back up to `max_attempts` times, if there is a step to lead back to. */
export const leadsBack = (view: View): boolean =>
  view.connected.has('revise_out') && view.revisions < view.config.max_attempts;

export function finishReview(view: View, review: DecidedReview, ports: Ports): FinishDecision {
  const { made, receipt } = outputsOf(view, review, ports);
  const common = { kind: 'finish' as const, receipt, warnings: [], error: null };
  if (review.decision === 'approve') {
    const outputs = { approved_out: reviewed(view), ...made };
    return { ...common, outcome: 'succeeded', outputs, signals: [...Object.keys(outputs), 'signal_out'] };
  }
  if (!leadsBack(view)) {
    return { ...common, outcome: 'rejected', outputs: made, signals: ['receipt_out'] };
  }
  const outputs = { revise_out: bundle(view, whatToChange(view, review), ['revise_out']), ...made };
  return { ...common, outcome: 'revised', outputs, signals: Object.keys(outputs) };
}

/** Fails without a decision: the review so far stays in the run. */
export function undecidedReview(
  view: View,
  end: { kind: Ports; findings: readonly Finding[]; error: AppError | { byOperator: string | null } },
): FinishDecision {
  const { made, receipt } = outputsOf(view, { decision: null, findings: end.findings }, end.kind);
  const error =
    'code' in end.error
      ? end.error
      : appError(
          'step.failed',
          ['the operator ended a review without a decision', end.error.byOperator ?? []].flat().join(': '),
        );
  return { kind: 'finish', outcome: 'failed', outputs: made, signals: [], receipt, warnings: [], error };
}

type OutputPort = readonly [port: string, kind?: EvidenceKind];

const bundle = (view: View, content: Json, [port, kind]: OutputPort): ContextBundle =>
  makeBundle(content, {
    kind,
    stepId: view.stepId,
    activationId: view.activationId,
    port,
    sessionKey: view.sessionKey,
  });

const reviewed = ({ inputs, stepId, activationId }: View): ContextBundle =>
  passOn(inputs.data_in ?? [], { stepId, activationId, port: 'approved_out' });

/** The operator's reason and the findings; without either, the review itself without its tail. */
function whatToChange(view: View, { reason, findings }: DecidedReview): string {
  const reasons = [
    ...(reason === null ? [] : [reason]),
    ...(findings.length === 0 ? [] : [findingsText(findings)]),
  ];
  if (reasons.length > 0) return reasons.join('\n\n');
  const last = view.turns[chainLength(view.config) - 1]?.response ?? '';
  return readTail(last)?.body ?? last.trim();
}

interface Reached {
  readonly decision: ReadDecision['decision'] | null;
  readonly findings: readonly Finding[];
  readonly decidedBy?: DecidedReview['decidedBy'];
  readonly reason?: string | null;
}

function outputsOf(view: View, reached: Reached, { findingsPort }: Ports) {
  const { decision, findings } = reached;
  const chain = view.turns.slice(0, chainLength(view.config)).map((turn) => turn.response);
  const count = view.config.re_prompts.length;
  const receipt = {
    step_id: view.stepId,
    attempt: view.attempt,
    decision,
    decided_by: reached.decidedBy ?? null,
    reason: reached.reason ?? null,
    findings: findings.length,
    re_prompt_count: count,
    reminders: view.turns.length - chain.length,
    responses: chain.length,
    prompts_sent: view.promptsSent,
    session_key: view.sessionKey,
    tokens: view.turns.reduce((sum, turn) => sum + (turn.usage?.total_tokens ?? 0), 0),
  };
  const review = {
    merged_content: mergeResponses(chain),
    response_count: chain.length,
    has_re_prompts: count > 0,
    decision,
    findings: [...findings],
  };
  const made: Record<string, ContextBundle> = {
    data_out: bundle(view, review, ['data_out', 'findings']),
    ...(findingsPort === null
      ? {}
      : { [findingsPort]: bundle(view, [...findings], [findingsPort, 'findings']) }),
    receipt_out: bundle(view, receipt, ['receipt_out']),
  };
  return { made, receipt };
}

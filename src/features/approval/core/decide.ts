import type { GateAnswer } from '@areas/gates/contract/gate';
import { appError } from '@contract/errors';
import { agentRef } from '@main/core/step/agent/agent';
import { assemblePrompt } from '@main/core/step/agent/prompt';
import type { FinishDecision, StepDecision, StepDecisions } from '@main/core/step/decision';
import { makeBundle, passOn } from '@main/core/step/output/bundle';
import type { View } from './config';
import { ask, attemptsLeft, isTimed, reworkedOutput, watch } from './question';

/**
 * Opens the gate, then ends by the operator's answer: approved, decided, revised (leads back), or rejected
 * (ends the run).
 */
export function decideApproval(view: View): StepDecisions {
  const { config, turns } = view;
  const answers = view.gates.flatMap(({ answer }) => answer ?? []);
  const rework = config.on_reject;
  // Each rework answers one reject; afterwards the question is asked again.
  const answer = rework === undefined ? answers.at(-1) : answers[turns.length];
  if (answer === undefined) return isTimed(view) ? timed(view) : ask(view);
  if (rework !== undefined && answer.option === 'reject' && attemptsLeft(view) > 0)
    return reworked(view, rework, answer.reason ?? '');
  return end(view, answer);
}

function timed(view: View): StepDecisions {
  const gate = view.gateByKey(['approval.ask', view.turns.length]);
  if (gate === null || (gate.status !== 'open' && gate.answer === null)) return ask(view);
  const { expires } = view.config;
  const expired = view.timer(['approval.expiry', view.turns.length])?.fired === true;
  if (!expired || expires === undefined) return watch(view, gate.openedAt);
  if (expires.outcome === 'fail') {
    const error = appError('step.failed', 'the question expired without an answer');
    return { ...close(view, { option: 'expired' }), outcome: 'failed', error };
  }
  return end(view, { option: expires.outcome, reason: 'The question expired without an answer.' }, true);
}

/** The agent reworks with the given reason; its answer is shown with the next question. */
function reworked(
  view: View,
  rework: NonNullable<View['config']['on_reject']>,
  reason: string,
): StepDecision {
  const ordinal = view.turns.length;
  const name = `rework ${ordinal}`;
  const prompt = view.laterText(name);
  if (prompt === null)
    return { kind: 'expand', name, path: 'on_reject.prompt', variables: { REJECTION_REASON: reason } };
  return {
    kind: 'turn',
    turn: 'feedback',
    agent: agentRef(rework),
    session: { kind: 'own' },
    ordinal,
    of: rework.max_attempts,
    attachments: [],
    progress: [],
    prompt: ordinal === 0 ? assemblePrompt(view, prompt) : prompt,
  };
}

function close(view: View, answer: GateAnswer, expired = false): Omit<FinishDecision, 'outcome' | 'error'> {
  const receipt = {
    step_id: view.stepId,
    attempt: view.attempt,
    option: answer.option,
    reason: answer.reason ?? null,
    ...(view.config.on_reject === undefined ? {} : { reworks: view.turns.length }),
    ...(expired ? { expired } : {}),
  };
  const receipt_out = makeBundle(receipt, { ...origin(view), port: 'receipt_out', kind: 'json' });
  return { kind: 'finish', receipt, warnings: [], outputs: { receipt_out }, signals: ['receipt_out'] };
}

const origin = ({ stepId, activationId }: View) => ({ stepId, activationId, sessionKey: null });

function end(view: View, answer: GateAnswer, expired = false): FinishDecision {
  const closed = close(view, answer, expired);
  const { config } = view;
  const approved = () => approvedOut(view, answer);
  if (config.decisions !== undefined) {
    const decided = { decision: answer.option, text: answer.text ?? answer.reason ?? '' };
    const data_out = makeBundle(decided, { ...origin(view), port: 'data_out', kind: 'json' });
    const outputs = { data_out, approved_out: approved(), ...closed.outputs };
    return {
      ...closed,
      outcome: 'succeeded',
      outputs,
      signals: [...Object.keys(outputs), 'signal_out'],
      error: null,
    };
  }
  if (answer.option === 'approve') {
    const outputs = { approved_out: approved(), ...closed.outputs };
    return {
      ...closed,
      outcome: 'succeeded',
      outputs,
      signals: [...Object.keys(outputs), 'signal_out'],
      error: null,
    };
  }
  if (config.on_reject !== undefined || attemptsLeft(view) <= 0)
    return { ...closed, outcome: 'rejected', error: null };
  const revise_out = makeBundle(answer.reason ?? '', { ...origin(view), port: 'revise_out', kind: 'text' });
  const outputs = { revise_out, ...closed.outputs };
  return { ...closed, outcome: 'revised', outputs, signals: Object.keys(outputs), error: null };
}

function approvedOut(view: View, answer: GateAnswer) {
  const arrived = view.inputs.data_in ?? [];
  const at = { ...origin(view), port: 'approved_out' };
  if (view.config.capture_response) return makeBundle(answer.text ?? '', { ...at, kind: 'text' });
  const reworked = reworkedOutput(view);
  if (reworked !== null) return makeBundle(reworked, { ...at, kind: 'markdown' });
  return arrived.length === 0 ? makeBundle('', { ...at, kind: 'text' }) : passOn(arrived, at);
}

import { type DecisionTail, readTail } from '@areas/evidence/contract/answer-tail';
import { responsePieces } from '@areas/evidence/contract/response-pieces';
import type { GateOption } from '@areas/gates/contract/gate';
import type { AppError } from '@contract/errors';
import { agentRef } from '@main/core/step/agent/agent';
import { chainLength, chainTurn } from '@main/core/step/agent/chain';
import { capReached } from '@main/core/step/agent/reprompts';
import { chooseSession } from '@main/core/step/agent/session-choice';
import type { FinishDecision, GateDecision, StepDecision, TurnDecision } from '@main/core/step/decision';
import {
  decisionInstruction,
  decisionReminder,
  type Finding,
  type ReadDecision,
} from '@main/core/step/decision-tail';
import type { ActivationView } from '@main/core/step/module';
import type { ReviewConfig } from './review-config';
import { type DecidedReview, finishReview, leadsBack, undecidedReview } from './review-finish';

type View = ActivationView<ReviewConfig>;

/** What a kind of review adds to the common procedure. */
export interface ReviewKind {
  /** Whether these findings mean revise if the agent gave no decision. */
  readonly fails: (findings: readonly Finding[]) => boolean;
  /** Findings cannot stop the run: a review without a decision approves, and no one is asked for one. */
  readonly advises: boolean;
  /** The output port for the findings, as data. */
  readonly findingsPort: string | null;
}

/**
 * Sends the primary prompt, then each re-prompt, then reads the decision (seed 000 section 7.6). If the last
 * response contains none, one reminder is sent, then the operator is asked (SPEC "Re-prompts").
 */
export function decideReview(view: View, kind: ReviewKind): StepDecision {
  const { config, turns } = view;
  const of = chainLength(config);
  const read = turns.length < of ? null : (readReview(view, kind) ?? advice(view, kind));
  if (read !== null) return finishReview(view, read, kind);
  if (turns.length <= of) {
    const error = capReached(config.max_iterations, { sent: view.promptsSent, answered: turns.length, of });
    if (error !== null) return spentReview(view, kind, error);
    return turns.length < of ? chainTurn(view, turns.length, `\n\n${decisionInstruction}`) : reminder(view);
  }
  const answer = view.gates.at(-1)?.answer ?? null;
  if (answer === null) return escalation(view);
  const findings = foundBy(view);
  const reason = answer.reason?.trim() || answer.text?.trim() || null;
  switch (answer.option) {
    case 'approve':
    case 'revise':
      return finishReview(view, { decision: answer.option, decidedBy: 'operator', findings, reason }, kind);
    default:
      return undecidedReview(view, { kind, findings, error: { byOperator: reason } });
  }
}

/** Ends at a cap: failed, with the review so far. */
export function spentReview(view: View, kind: ReviewKind, error: AppError): FinishDecision {
  return undecidedReview(view, { kind, findings: foundBy(view), error });
}

/** The tails of the chain's last response and of the answer to the reminder. */
function tailsOf(view: View): (DecisionTail | null)[] {
  return view.turns.slice(chainLength(view.config) - 1).map((turn) => readTail(turn.response));
}

/** The answer to a reminder is often only the decision, so the earlier findings of the review count too. */
function foundBy(view: View): readonly Finding[] {
  return tailsOf(view).findLast((tail) => tail !== null && tail.findings.length > 0)?.findings ?? [];
}

function readReview(view: View, kind: ReviewKind): DecidedReview | null {
  const findings = foundBy(view);
  const last = tailsOf(view).at(-1)?.decision ?? null;
  if (last !== null) return { decision: last, decidedBy: 'agent', findings, reason: null };
  return kind.fails(findings) ? { decision: 'revise', decidedBy: 'findings', findings, reason: null } : null;
}

/**
 * An advising review without a decision. An empty answer is no review, so the agent is reminded of it.
 */
function advice(view: View, kind: ReviewKind): DecidedReview | null {
  if (view.turns.at(-1)?.response.trim() === '') return null;
  const reminded = view.turns.length > chainLength(view.config);
  if (!kind.advises || reminded) return null;
  return { decision: 'approve', decidedBy: 'fail_on', findings: foundBy(view), reason: null };
}

function reminder(view: View): TurnDecision {
  const ordinal = view.turns.length;
  return {
    kind: 'turn',
    turn: 'reminder',
    agent: agentRef(view.config),
    session: chooseSession(view),
    ordinal,
    of: ordinal + 1,
    prompt: decisionReminder,
    attachments: [],
    progress: [],
  };
}

/** Both responses, because the answer to a reminder rarely contains the findings. */
function escalation(view: View): GateDecision {
  const [review, ...reminded] = view.turns.slice(chainLength(view.config) - 1).map((turn) => turn.response);
  return {
    kind: 'gate',
    gate: 'review_escalation',
    title: view.title,
    message: 'No decision could be read from the review, also after a reminder. Decide in its place.',
    evidence: [
      ...responsePieces(review ?? '', 'Review'),
      ...reminded.flatMap((text) => responsePieces(text, 'Answer to the reminder')),
    ],
    options: options(view),
  };
}

function options(view: View): GateOption[] {
  const remaining = view.config.max_attempts - view.revisions;
  return [
    {
      id: 'approve' satisfies ReadDecision['decision'],
      label: 'Approve',
      effect: 'The run goes on with what was reviewed.',
      tone: 'approve',
    },
    {
      id: 'revise' satisfies ReadDecision['decision'],
      label: leadsBack(view) ? 'Revise' : 'Reject',
      effect: leadsBack(view)
        ? `The step before works on it again with your reason (${remaining} of ${view.config.max_attempts} left).`
        : 'The run ends as rejected.',
      tone: 'reject',
    },
    {
      id: 'fail',
      label: 'Fail the step',
      effect: 'The review stays as it is, and the step fails.',
      tone: 'reject',
    },
  ];
}

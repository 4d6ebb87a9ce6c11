import type { Retry } from '@areas/workflows/contract/definition';
import { storedTime } from '@contract/bounds';
import type { AppError, ErrorCode } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { RunEventOf } from '@contract/run/events';
import { keyText } from '@contract/run/keys';
import type { ActivationState, RunState } from '@contract/run/state';
import { LONGEST_STEP_RETRY_MS } from '../../../limits/core';
import type { Plan } from '../plan/plan';

/** Failures that may be temporary. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'agent.start_failed',
  'agent.crashed',
  'agent.overloaded',
  'agent.unreachable',
  'agent.stream_broken',
  'agent.timeout',
  'agent.protocol',
  'workspace.failed',
  'unavailable',
]);

/** Failures that another attempt cannot fix, or only the operator can. */
const NEVER: ReadonlySet<ErrorCode> = new Set([
  'agent.auth_required',
  'agent.key_refused',
  'agent.limit',
  'agent.quota',
  'agent.not_installed',
  'agent.not_allowed',
  'step.output_too_large',
  'cancelled',
]);

interface Planned {
  readonly plan: Plan;
  readonly state: RunState;
}

/** The timer after which a failed step is retried; null if it is not. */
export function retryAfter(
  { plan, state }: Planned,
  activation: ActivationState,
  error: AppError | null,
): RunEventOf<'timer.set'> | null {
  const retry = plan.steps.get(activation.stepId)?.definition.retry;
  if (retry === undefined || error === null || !isRetried(retry, error)) return null;
  if (state.status !== 'running' || operatorLetItFail(state, activation)) return null;
  const tried = retriesBefore(state, activation);
  if (tried >= retry.max_attempts) return null;
  const delay = retry.delay_seconds * 1000;
  const wait = Math.min(delay * 2 ** tried, Math.max(delay, LONGEST_STEP_RETRY_MS));
  return {
    type: 'timer.set',
    timerId: state.last.timer + 1,
    activationId: activation.id,
    dueAt: storedTime(state.at + wait),
    purpose: keyText(['step.retry', activation.attempt + 1]),
  };
}

function isRetried({ on }: Retry, { code }: AppError): boolean {
  if (NEVER.has(code) || /^(validation|reference)\./.test(code)) return false;
  return on === 'all' || TRANSIENT.has(code);
}

/** The operator was asked and chose to let it fail. */
const operatorLetItFail = (state: RunState, { gateIds, resumedAtGate }: ActivationState): boolean =>
  gateIds.slice(resumedAtGate).some((id) => state.gates[id]?.answer?.option === 'fail');

/** How many attempts in a row before this one ended in a retry. */
function retriesBefore(state: RunState, { id, stepId }: ActivationState): number {
  const ids = ownValue(state.steps, stepId)?.activationIds ?? [];
  let count = 0;
  for (let at = ids.indexOf(id) - 1; at >= 0; at -= 1) {
    if (state.activations[ids[at] ?? 0]?.retryTimer === undefined) break;
    count += 1;
  }
  return count;
}

import type { RunEvent } from '@contract/run/events';
import type { ActivationState } from '@contract/run/state';
import type { DecisionInput } from '../base/decision-input';
import { endActivation } from '../base/finish';
import type { PlannedStep } from '../plan/plan';
import { askCondition } from '../schedule/step-condition';

/**
 * A step whose condition could not be decided has begun nothing. When resumed, it must not run without a
 * decision: it fails again, or is decided again by its place. Null if it may continue.
 */
export function askAgain(
  moment: DecisionInput,
  activation: ActivationState,
  step: PlannedStep,
): RunEvent[] | null {
  if (step.condition === null || activation.expanded !== undefined) return null;
  const { turnIds, commandIds, sessionIds, gateIds, workspaceIds } = activation;
  if ([turnIds, commandIds, sessionIds, gateIds, workspaceIds].some((ids) => ids.length > 0)) return null;
  const condition = askCondition(step, moment);
  if (condition === null || (condition.ok && condition.value)) return null;
  return endActivation(moment, activation, condition.ok ? 'cancelled' : condition.error);
}

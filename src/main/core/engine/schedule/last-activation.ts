import { ownValue } from '@contract/own';
import type { ActivationState, RunState } from '@contract/run/state';

/** The newest activation of a step; null if it never started. */
export function lastActivation(state: RunState, stepId: string): ActivationState | null {
  const id = ownValue(state.steps, stepId)?.activationIds.at(-1);
  return id === undefined ? null : (state.activations[id] ?? null);
}

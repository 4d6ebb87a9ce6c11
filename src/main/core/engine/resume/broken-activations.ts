import { ownValue } from '@contract/own';
import { scopeOf } from '@contract/run/scope/path';
import type { ActivationState, RunState } from '@contract/run/state';

/**
 * What resuming a run resumes: the newest activation of each step, if it failed or was cancelled, and the
 * activations that own their scopes. Failures in scopes that no longer count remain.
 */
export function brokenActivations(state: RunState): number[] {
  const ids = new Set<number>();
  for (const step of Object.values(state.steps)) {
    const last = state.activations[step.activationIds.at(-1) ?? 0];
    if (step.skipped !== null || last === undefined) continue;
    // Histories imported by earlier versions of Muster have steps that never ended.
    const broke = last.outcome === 'failed' || last.outcome === 'cancelled' || last.status === 'running';
    const owners = broke ? ownersOf(state, last) : null;
    for (const one of owners === null ? [] : [last, ...owners]) ids.add(one.id);
  }
  return [...ids].sort((one, other) => one - other);
}

/**
 * The activations that own the scopes around an activation; null if one of them is not the newest of its
 * step.
 */
function ownersOf(state: RunState, activation: ActivationState): ActivationState[] | null {
  const scope = scopeOf(activation.stepId);
  if (scope === null) return [];
  const owner = state.activations[ownValue(state.scopes, scope)?.activationId ?? 0];
  if (owner === undefined || ownValue(state.steps, owner.stepId)?.activationIds.at(-1) !== owner.id)
    return null;
  const around = ownersOf(state, owner);
  return around === null ? null : [owner, ...around];
}

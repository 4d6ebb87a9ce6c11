import { featureProgress, waitingFeatures } from './features/feature-answers';
import type { ActivationState, GateState, RunState } from './state';
import { activationWorks } from './status';

const isOpen = (gate: GateState | undefined): boolean => gate?.status === 'open';

/** A feature in the activation waits for a word of the operator, which is no gate, and nothing of the activation works. */
function waitsForWord(state: RunState, activation: ActivationState): boolean {
  const is = featureProgress(state, activation.id)?.is;
  return (is === 'rests' || is === 'awaits') && !activationWorks(state, activation);
}

/** Whether an activation that runs waits for the operator. What is asked in its scopes is not looked at. */
export const activationWaits = (state: RunState, activation: ActivationState): boolean =>
  activation.status === 'running' &&
  (activation.gateIds.some((id) => isOpen(state.gates[id])) || waitsForWord(state, activation));

/** The keys of the steps that wait for the operator, in scopes too. */
export function waitingSteps(state: RunState): ReadonlySet<string> {
  const asking = Object.values(state.gates).flatMap((gate) =>
    isOpen(gate) ? (state.activations[gate.activationId ?? 0] ?? []) : [],
  );
  const held = waitingFeatures(state)
    .flatMap((id) => state.activations[id] ?? [])
    .filter((activation) => !activationWorks(state, activation));
  return new Set([...asking, ...held].map(({ stepId }) => stepId));
}

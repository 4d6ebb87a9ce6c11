import type { ContextBundle } from '@areas/workflows/contract/definition';
import { ownValue, setOwnValue } from '@contract/own';
import type { ActivationState, RunState } from '@contract/run/state';
import { wholeBundle } from '../large-texts';
import type { Plan } from '../plan/plan';

/** What arrived on each input port of an activation. */
export function readInputs({
  plan,
  state,
  activation,
}: {
  plan: Plan;
  state: RunState;
  activation: ActivationState;
}): Record<string, ContextBundle[]> {
  const inputs: Record<string, ContextBundle[]> = {};
  for (const input of activation.inputs) {
    const bundle = ownValue(state.activations[input.activationId]?.outputs, input.fromPort);
    if (bundle)
      setOwnValue(inputs, input.port, [
        ...(ownValue(inputs, input.port) ?? []),
        wholeBundle(plan.texts, bundle),
      ]);
  }
  return inputs;
}

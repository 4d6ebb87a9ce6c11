import { inputValues } from '@areas/workflows/contract/input-values';
import { ownValue } from '@contract/own';
import { ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { scopePath } from '@contract/run/scope/path';
import type { ActivationState } from '@contract/run/state';
import type { WholeText } from '@contract/whole-text';
import type { ScopeDecision } from '../../step/decision';
import type { DecisionInput } from '../base/decision-input';
import { endActivation } from '../base/finish';
import { scopesAround } from '../schedule/step-values';

/** Opens a scope of an activation; if a called file does not accept the inputs, the activation fails. */
export function openScope(
  moment: DecisionInput,
  activation: ActivationState,
  decision: ScopeDecision,
): RunEvent[] {
  const { index, values, after, isolated } = decision;
  const scope = scopePath(activation, index);
  if (ownValue(moment.state.scopes, scope) !== undefined) return [];
  const inputs = inputsOf(moment, activation, decision);
  if (!inputs.ok) return endActivation(moment, activation, inputs.error);
  return [
    {
      type: 'scope.opened',
      scope,
      activationId: activation.id,
      index,
      values,
      ...(inputs.value === null ? {} : { inputs: inputs.value }),
      ...(after === undefined ? {} : { after: scopePath(activation, after) }),
      ...(isolated === true && moment.state.workspaceMode === 'worktree' ? { isolated } : {}),
    },
  ];
}

/** A called file has only its own inputs; a body also has those around it. Null: none are given. */
function inputsOf(
  { plan, state }: DecisionInput,
  { stepId }: ActivationState,
  { inputs }: ScopeDecision,
): Result<Record<string, WholeText> | null> {
  const inner = plan.steps.get(stepId)?.inner;
  if (inner?.isolated === true) return inputValues(inner.plan.definition, inputs ?? {});
  if (inputs === undefined) return ok(null);
  const around = scopesAround(plan, state, stepId).find((scope) => scope.inputs !== null)?.inputs;
  return ok({ ...(around ?? state.references.inputs), ...inputs });
}

import { ownValue } from '@contract/own';
import { ownerOf, scopeOf } from '@contract/run/scope/path';
import type { ActivationState, RunState } from '@contract/run/state';
import type { Plan, PlannedStep } from '../plan/plan';
import type { InputRef } from '../schedule/placement';

/** Whether a step has no predecessors in its own plan. */
const isEntry = ({ cables }: Pick<PlannedStep, 'cables'>): boolean => cables.every((cable) => cable.back);

/** The activation that owns a step's scope; undefined for steps of the run itself. */
function ownerActivation(state: RunState, stepKey: string): ActivationState | undefined {
  const scope = scopeOf(stepKey);
  return scope === null ? undefined : state.activations[ownValue(state.scopes, scope)?.activationId ?? 0];
}

/** A scope's first steps receive its owner's inputs on ports of the same name. */
export function entryInputs(state: RunState, step: PlannedStep): readonly InputRef[] {
  if (!isEntry(step)) return [];
  const { inputs = [] } = ownerActivation(state, step.definition.id) ?? {};
  if (inputs.length === 0) return [];
  const ports = step.bound.ports.inputs.filter(({ kind }) => kind === 'bundle').map(({ name }) => name);
  return inputs.filter(({ port }) => ports.includes(port));
}

/** Whether neither a step nor the owners of its scopes have predecessors. */
export function isFirst(plan: Plan, step: PlannedStep): boolean {
  if (!isEntry(step)) return false;
  const scope = scopeOf(step.definition.id);
  const owner = scope === null ? undefined : plan.steps.get(ownerOf(scope));
  return owner === undefined || isFirst(plan, owner);
}

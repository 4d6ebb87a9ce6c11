import { ownValue } from '@contract/own';
import { isPass, keyIn, ownerOf, scopeOf } from '@contract/run/scope/path';
import type { ActivationState, RunState, ScopeState } from '@contract/run/state';
import { outputText } from '@contract/workflow/bundle-text';
import type { StepStatus } from '@contract/workflow/trial';
import type { StepValue, Values } from '../../reference/values';
import { revisionReason } from '../../step/output/bundle';
import type { Plan, PlannedStep } from '../plan/plan';
import { readInputs } from '../turns/chain-history';
import { lastActivation } from './last-activation';
import { runVariable } from './run-variables';

/** The current values of a step's references in a run. */
export function valuesOf(plan: Plan, state: RunState, stepKey: string): Values {
  const scopes = scopesAround(plan, state, stepKey);
  return {
    step: (id, previous) => {
      if (previous) return previousValue(plan, state, { id, scopes });
      // A name means the step of the innermost scope that has one.
      const step = [...scopes.map(({ path }) => path), ...(isCalled(scopes) ? [] : [null])]
        .map((path) => plan.steps.get(keyIn(path, id)))
        .find((found) => found !== undefined);
      return step === undefined ? null : stepValue(state, step);
    },
    variable: (name) => {
      if (name === 'REJECTION_REASON') return reasonFor(state, stepKey);
      return ownValue(variablesOf(scopes), name) ?? runVariable(state, name);
    },
    input: (name) => {
      const inputs = scopes.find((scope) => scope.inputs !== null)?.inputs ?? state.references?.inputs;
      return ownValue(inputs, name) ?? null;
    },
  };
}

function reasonFor(state: RunState, stepKey: string): string {
  const activation = lastActivation(state, stepKey);
  return activation === null ? '' : revisionReason(readInputs({ state, activation }));
}

interface AroundScope extends ScopeState {
  /** It runs a called file, which sees nothing from outside the call. */
  readonly isolated: boolean;
}

/** The scopes around a step, innermost first, up to that of its file. */
export function scopesAround(plan: Plan, state: RunState, stepKey: string): AroundScope[] {
  const found: AroundScope[] = [];
  for (let path = scopeOf(stepKey); path !== null; path = scopeOf(ownerOf(path))) {
    const scope = ownValue(state.scopes, path);
    const isolated = plan.steps.get(ownerOf(path))?.inner?.isolated === true;
    if (scope !== undefined) found.push({ ...scope, isolated });
    if (isolated) break;
  }
  return found;
}

const isCalled = (scopes: readonly AroundScope[]): boolean => scopes.at(-1)?.isolated === true;

/** Variables of scopes; an inner one shadows an outer one. */
export const variablesOf = (scopes: readonly Pick<ScopeState, 'values'>[]): Record<string, string> =>
  Object.assign({}, ...scopes.toReversed().map(({ values }) => values));

/** A step in the previous pass; in the first pass it has not run. */
function previousValue(
  plan: Plan,
  state: RunState,
  { id, scopes }: { readonly id: string; readonly scopes: readonly ScopeState[] },
): StepValue | null {
  const pass = scopes.find((scope) => isPass(scope) && plan.steps.get(keyIn(scope.path, id)) !== undefined);
  const step = pass?.after == null ? undefined : plan.steps.get(keyIn(pass.after, id));
  return step === undefined ? null : stepValue(state, step);
}

function stepValue(state: RunState, step: PlannedStep): StepValue {
  const { id } = step.definition;
  // A skip replaces the result of an earlier activation.
  const declared = step.format?.declared ?? step.bound.declares;
  if (ownValue(state.steps, id)?.skipped != null) return { status: 'skipped', output: '', declared };
  const last = lastActivation(state, id);
  if (last === null) return { status: 'not_run', output: '', declared };
  return { status: statusOf(last), output: outputText(last.outputs), declared };
}

const statusOf = ({ status, outcome }: ActivationState): StepStatus =>
  status === 'running' ? 'running' : (outcome ?? 'failed');

import { outputBundle, outputText } from '@areas/workflows/contract/bundle-text';
import type { StepStatus } from '@areas/workflows/contract/trial';
import type { StepValue, Values } from '@areas/workflows/core/reference/values';
import { ownValue } from '@contract/own';
import { err, ok } from '@contract/result';
import { isPass, keyIn, ownerOf, scopeOf } from '@contract/run/scope/path';
import type { ActivationState, RunState, ScopeState } from '@contract/run/state';
import type { MarkedText, WholeText } from '@contract/whole-text';
import { TextFault } from '../../ports/whole-texts';
import { revisionReason } from '../../step/output/bundle';
import { wholeBundle } from '../large-texts';
import type { Plan, PlannedStep } from '../plan/plan';
import { readInputs } from './inputs';
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
      return step === undefined ? null : stepValue(plan, state, step);
    },
    variable: (name) => {
      if (name === 'REJECTION_REASON') return reasonFor(plan, state, stepKey);
      return ownValue(variablesOf(scopes), name) ?? runVariable(state, name);
    },
    input: (name) => {
      const inputs = scopes.find((scope) => scope.inputs !== null)?.inputs ?? state.references.inputs;
      return ownValue(inputs, name) ?? null;
    },
    read: (text) => {
      try {
        return ok(plan.texts.read(text));
      } catch (cause) {
        if (cause instanceof TextFault) return err(cause.error);
        throw cause;
      }
    },
  };
}

function reasonFor(plan: Plan, state: RunState, stepKey: string): string {
  const activation = lastActivation(state, stepKey);
  return activation === null ? '' : revisionReason(readInputs({ plan, state, activation }));
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
export const variablesOf = (scopes: readonly Pick<ScopeState, 'values'>[]): Record<string, WholeText> =>
  Object.assign({}, ...scopes.toReversed().map(({ values }) => values));

/** A step in the previous pass; in the first pass it has not run. */
function previousValue(
  plan: Plan,
  state: RunState,
  { id, scopes }: { readonly id: string; readonly scopes: readonly ScopeState[] },
): StepValue | null {
  const pass = scopes.find((scope) => isPass(scope) && plan.steps.get(keyIn(scope.path, id)) !== undefined);
  const step = pass?.after == null ? undefined : plan.steps.get(keyIn(pass.after, id));
  return step === undefined ? null : stepValue(plan, state, step);
}

function stepValue(plan: Plan, state: RunState, step: PlannedStep): StepValue {
  const { id } = step.definition;
  // A skip replaces the result of an earlier activation.
  const declared = step.format?.declared ?? step.bound.declares;
  if (ownValue(state.steps, id)?.skipped != null)
    return { status: 'skipped', output: '', error: '', declared };
  const last = lastActivation(state, id);
  if (last === null) return { status: 'not_run', output: '', error: '', declared };
  const error = last.error?.message ?? '';
  return { status: statusOf(last), output: readableOutput(plan, last.outputs), error, declared };
}

/** A text in a file stays there until something reads it. */
function readableOutput({ texts }: Plan, outputs: ActivationState['outputs']): MarkedText {
  const bundle = outputBundle(outputs);
  if (bundle === undefined) return '';
  if ('large' in bundle && bundle.form === 'text') return bundle.large;
  return outputText(wholeBundle(texts, bundle));
}

const statusOf = ({ status, outcome }: ActivationState): StepStatus =>
  status === 'running' ? 'running' : (outcome ?? 'failed');

import { own } from '@contract/own';
import type { ActivationState, RunState } from '@contract/run/state';
import { outputText } from '@contract/workflow/bundle-text';
import type { StepStatus, StepValue, Values } from '../reference/values';
import { lastActivation } from './last-activation';
import type { Plan, PlannedStep } from './plan';

/** What references stand for in a run, as it stands now. */
export function valuesOf(plan: Plan, state: RunState): Values {
  return {
    step: (id, previous) => {
      const step = plan.steps.get(id);
      return step === undefined || previous ? null : stepValue(state, step);
    },
    variable: (name) => variable(state, name),
    input: (name) => own(state.references?.inputs, name) ?? null,
  };
}

function stepValue(state: RunState, step: PlannedStep): StepValue {
  const { id } = step.definition;
  // A skip replaces the result of an earlier activation.
  const declared = step.format?.declared ?? step.bound.declares;
  if (own(state.steps, id)?.skipped != null) return { status: 'skipped', output: '', declared };
  const last = lastActivation(state, id);
  if (last === null) return { status: 'not_run', output: '', declared };
  return { status: statusOf(last), output: outputText(last.outputs), declared };
}

const statusOf = ({ status, outcome }: ActivationState): StepStatus =>
  status === 'running' ? 'running' : (outcome ?? 'failed');

function variable(state: RunState, name: string): string | null {
  switch (name) {
    case 'ARGUMENTS':
      return state.instruction;
    case 'WORKFLOW_ID':
      return state.uid;
    case 'ARTIFACTS_DIR':
      return artifactsFolder(state);
    case 'DOCS_DIR':
      return state.references?.docsDir ?? null;
    case 'BASE_BRANCH':
      return state.references?.baseBranch ?? null;
    default:
      return null;
  }
}

/** The folder for files of the run's agents and commands, apart from Muster's own logs. */
const artifactsFolder = ({ artifactsDir }: Pick<RunState, 'artifactsDir'>): string =>
  `${artifactsDir}/artifacts`;

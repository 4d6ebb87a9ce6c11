import { own } from '@contract/own';
import { ok } from '@contract/result';
import type { ExpandedTemplate, TrialValues } from '@contract/workflow/trial';
import { templatesOf } from '../../core/engine/expansion';
import type { Plan, PlannedStep } from '../../core/engine/plan';
import { evaluateCondition } from '../../core/reference/condition/evaluate';
import { expandTemplates } from '../../core/reference/expand';
import { readReference, type StepValue, type Values } from '../../core/reference/values';

/** What references stand for, by a file. A step of the workflow that the file does not name has not run. */
export function valuesOfFile(plan: Plan, given: TrialValues, project: string): Values {
  const stepValue = (id: string, from: TrialValues['steps']): StepValue | null => {
    const step = plan.steps.get(id);
    if (step === undefined) return null;
    const declared = step.format?.declared ?? step.bound.declares;
    const value = own(from, id);
    if (value === undefined) return { status: 'not_run', output: '', declared };
    const output = typeof value.output === 'string' ? value.output : JSON.stringify(value.output);
    return { status: value.status, output, declared };
  };
  const known: Readonly<Record<string, string>> = {
    ...{ ARGUMENTS: '', WORKFLOW_ID: 'dry-run', ARTIFACTS_DIR: `${project}/.muster/artifacts` },
    ...{ DOCS_DIR: plan.definition.docs_dir ?? 'docs/' },
    ...(plan.definition.base_branch === undefined ? {} : { BASE_BRANCH: plan.definition.base_branch }),
    ...given.variables,
  };
  return {
    step: (id, previous) => stepValue(id, previous ? given.previous : given.steps),
    variable: (name) => own(known, name) ?? null,
    input: (name) => {
      const value = own(given.inputs, name) ?? own(plan.definition.inputs, name)?.default;
      return value === undefined ? null : String(value);
    },
  };
}

/** What each template and condition of a workflow becomes with these values. */
export function expandAll(plan: Plan, values: Values, only: string | null): ExpandedTemplate[] {
  return plan.order.flatMap((id) => {
    const step = plan.steps.get(id);
    return step === undefined || (only !== null && only !== id) ? [] : expandStep(step, values);
  });
}

function expandStep(step: PlannedStep, values: Values): ExpandedTemplate[] {
  const { id } = step.definition;
  const templates = templatesOf(step).map((template): ExpandedTemplate => {
    const made = expandTemplates([template], values);
    const at = { step: id, path: template.path };
    if ('error' in made) return { ...at, text: null, warnings: [], error: made.error };
    const { texts, env, warnings } = made.expanded;
    const given = Object.keys(env).length === 0 ? {} : { env };
    return { ...at, text: own(texts, template.path) ?? template.text, ...given, warnings, error: null };
  });
  return [...conditionOf(step, values), ...templates];
}

function conditionOf({ condition, definition }: PlannedStep, values: Values): ExpandedTemplate[] {
  if (condition === null) return [];
  const holds = evaluateCondition(condition, (reference) => {
    const read = readReference(reference, values);
    return read.ok ? ok(read.value.text) : read;
  });
  const at = { step: definition.id, path: 'when', warnings: [] };
  if (!holds.ok) return [{ ...at, text: null, error: holds.error }];
  return [{ ...at, text: String(holds.value), error: null }];
}

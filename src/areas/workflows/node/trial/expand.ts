import { ownValue } from '@contract/own';
import { fail, ok } from '@contract/result';
import type { Plan, PlannedStep } from '@main/core/engine/plan/plan';
import type { Inner } from '@main/core/engine/plan/types';
import { templatesOf } from '@main/core/engine/scope/expansion';
import type { ExpandedTemplate, TrialValues } from '../../contract/trial';
import { evaluateCondition } from '../../core/reference/condition/evaluate';
import { expandTemplates } from '../../core/reference/expand';
import { readWhole, type StepValue, type Values } from '../../core/reference/values';

/** Values of references from a file. Steps that the file does not name count as not run. */
export function valuesOfFile(plan: Plan, given: TrialValues, project: string): Values {
  const known: Readonly<Record<string, string>> = {
    ARGUMENTS: '',
    // As in the first pass of a loop.
    LOOP_PREV_OUTPUT: '',
    LOOP_USER_INPUT: '',
    WORKFLOW_ID: 'dry-run',
    ARTIFACTS_DIR: `${project}/.muster/artifacts`,
    DOCS_DIR: plan.definition.docs_dir ?? 'docs/',
    ...(plan.definition.base_branch === undefined ? {} : { BASE_BRANCH: plan.definition.base_branch }),
    ...given.variables,
  };
  return {
    step: (id, previous) => {
      const step = plan.steps.get(id);
      return step === undefined
        ? null
        : stepValue(step, ownValue(previous ? given.previous : given.steps, id));
    },
    variable: (name) => ownValue(known, name) ?? null,
    input: (name) => {
      const value = ownValue(given.inputs, name) ?? ownValue(plan.definition.inputs, name)?.default;
      return value === undefined ? null : String(value);
    },
    read: noFile,
  };
}

/** Values that a person gives are whole. */
const noFile: Values['read'] = () => fail('not_found', 'a trial has no files');

/** A step of a workflow or body, with the values of its references. */
interface StepPlace {
  /** `review/fix` for a step in the body of `review`. */
  readonly key: string;
  readonly step: PlannedStep;
  readonly values: Values;
}

/** Every step, those of a body after their owner. */
export const placesOf = (plan: Plan, values: Values, given: TrialValues): StepPlace[] =>
  placesIn({ plan, values, given, prefix: '' });

interface Within {
  readonly plan: Plan;
  readonly values: Values;
  readonly given: TrialValues;
  readonly prefix: string;
}

function placesIn(within: Within): StepPlace[] {
  const { plan, values, prefix } = within;
  return plan.order.flatMap((id): StepPlace[] => {
    const step = plan.steps.get(id);
    if (step === undefined) return [];
    const key = `${prefix}${id}`;
    const inner = step.inner ?? null;
    const below =
      inner === null
        ? []
        : placesIn({
            ...within,
            plan: inner.plan,
            prefix: `${key}/`,
            values: insideOf(inner, step, { ...within, prefix: `${key}/` }),
          });
    return [{ key, step, values }, ...below];
  });
}

/** In a body: its own steps first, then those around it; inputs as given, else from its owner. */
function insideOf(
  { plan, isolated }: Inner,
  owner: PlannedStep,
  { given, prefix, values: around }: Within,
): Values {
  const templates = templatesOf(owner);
  const inputOf = (name: string): string | null => {
    const path = `inputs.${name}`;
    const chosen = ownValue(given.inputs, name);
    if (chosen !== undefined) return String(chosen);
    const template = templates.find((one) => one.path === path);
    if (template === undefined) return null;
    const made = expandTemplates([template], around);
    return 'error' in made ? null : (ownValue(made.expanded.texts, path) ?? template.text);
  };
  const declared = (name: string): string | null => {
    const value = ownValue(plan.definition.inputs, name)?.default;
    return value === undefined ? null : String(value);
  };
  return {
    step: (id, previous) => {
      const step = plan.steps.get(id);
      if (step === undefined) return isolated ? null : around.step(id, previous);
      const value = previous ? ownValue(given.previous, id) : ownValue(given.steps, `${prefix}${id}`);
      return stepValue(step, value);
    },
    variable: around.variable,
    input: (name) => inputOf(name) ?? (isolated ? declared(name) : around.input(name)),
    read: around.read,
  };
}

function stepValue(step: PlannedStep, value: TrialValues['steps'][string] | undefined): StepValue {
  const declared = step.format?.declared ?? step.bound.declares;
  if (value === undefined) return { status: 'not_run', output: '', error: '', declared };
  const output = typeof value.output === 'string' ? value.output : JSON.stringify(value.output);
  return { status: value.status, output, error: value.error, declared };
}

/** The result of each template and condition with these values. */
export const expandAll = (places: readonly StepPlace[], only: string | null): ExpandedTemplate[] =>
  places.filter(({ key }) => only === null || key === only).flatMap(expandStep);

function expandStep({ key, step, values }: StepPlace): ExpandedTemplate[] {
  const templates = templatesOf(step).map((template): ExpandedTemplate => {
    const made = expandTemplates([template], values);
    const at = { step: key, path: template.path };
    if ('error' in made) return { ...at, text: null, warnings: [], error: made.error };
    const { texts, env, warnings } = made.expanded;
    const given = Object.keys(env).length === 0 ? {} : { env };
    return { ...at, text: ownValue(texts, template.path) ?? template.text, ...given, warnings, error: null };
  });
  return [...conditionOf(key, step, values), ...templates];
}

function conditionOf(key: string, { condition }: PlannedStep, values: Values): ExpandedTemplate[] {
  if (condition === null) return [];
  const holds = evaluateCondition(condition, (reference) => {
    const read = readWhole(reference, values);
    return read.ok ? ok(read.value.text) : read;
  });
  const at = { step: key, path: 'when', warnings: [] };
  if (!holds.ok) return [{ ...at, text: null, error: holds.error }];
  return [{ ...at, text: String(holds.value), error: null }];
}

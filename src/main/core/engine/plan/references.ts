import type { StepDefinition, WorkflowDefinition } from '@areas/workflows/contract/definition';
import {
  conditionProblems,
  type KnownNames,
  type TextProblem,
  templateProblems,
} from '@areas/workflows/core/reference/check';
import { templatesIn } from '@areas/workflows/core/reference/expand';
import type { TextPlace } from '@areas/workflows/core/reference/preview';
import { RESERVED_IDS } from '@areas/workflows/core/reference/reference';
import type { Problem } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { BoundStep, StepRegistry } from '../../step/module';
import { declaredFields } from '../../step/output/output-format';

/** A problem with the offset of its cause in the text at its path. */
interface OffsetProblem {
  readonly problem: Problem;
  readonly offset: number;
}

/** What a body may read from its surroundings. */
export interface NamesAround {
  /** What the body's owner may read; null: nothing, because the body is a file of its own. */
  readonly names: KnownNames | null;
  readonly variables: readonly string[];
  /** Its steps can be read as of the previous pass. */
  readonly repeats: boolean;
}

interface Bound {
  /** Null: the step is unknown, or its configuration is invalid. */
  readonly bound: (id: string) => BoundStep | null;
  readonly around: NamesAround | undefined;
}

/** What each step's texts may refer to. A name means the innermost step with that name. */
export function namesOf(
  definition: WorkflowDefinition,
  { bound, around }: Bound,
): (stepId: string) => KnownNames {
  const byId = new Map(definition.steps.map((step) => [step.id, step]));
  const outer = around?.names ?? null;
  const steps = [...byId.keys(), ...(outer?.steps ?? [])];
  const sources = sourcesOf(definition, bound);
  const inputs = Object.keys(ownValue(definition, 'inputs') ?? {});
  const formatOf = (id: string) => declaredFields(byId.get(id)?.output_format);
  return (step) => ({
    step,
    steps,
    inputs,
    variables: around?.variables ?? [],
    isStep: (id) => byId.has(id) || outer?.isStep(id) === true,
    isUpstream: (id) => (byId.has(id) ? reaches(sources, step, id) : outer?.isUpstream(id) === true),
    isPrevious: (id) => (byId.has(id) && around?.repeats === true) || outer?.isPrevious(id) === true,
    declared: (id) =>
      byId.has(id) ? (formatOf(id) ?? bound(id)?.declares ?? null) : (outer?.declared(id) ?? null),
    isFreeText: (id) =>
      byId.has(id)
        ? byId.get(id)?.output_format === undefined &&
          (bound(id)?.agents.length ?? 0) > 0 &&
          bound(id)?.declares === null
        : outer?.isFreeText(id) === true,
  });
}

/**
 * Checks every reference and condition of a definition. Needs no step order, so reference problems are
 * reported together with all others.
 */
export function referenceProblems(
  { steps }: WorkflowDefinition,
  registry: StepRegistry,
  namesFor: (stepId: string) => KnownNames,
): readonly OffsetProblem[] {
  return steps.flatMap((step, index) => {
    const path = `steps[${index}]`;
    const names = namesFor(step.id);
    const templates = templatesIn(step.config, registry.get(step.type)?.templates ?? []);
    const found = templates.flatMap((template) => {
      const variables = [...names.variables, ...(template.field.variables ?? [])];
      const at = `${path}.config.${template.path}`;
      return templateProblems(template, { ...names, variables }).map((one) => placed(one, step, at));
    });
    if (step.when !== undefined)
      found.push(...conditionProblems(step.when, names).map((one) => placed(one, step, `${path}.when`)));
    return RESERVED_IDS.has(step.id) ? [reserved(step, path), ...found] : found;
  });
}

/** The texts that the steps may have, present or not. */
export const textPlaces = (
  { steps }: WorkflowDefinition,
  registry: StepRegistry,
  namesFor: (stepId: string) => KnownNames,
): readonly TextPlace[] =>
  steps.flatMap((step, index): TextPlace[] => {
    const names = namesFor(step.id);
    const fields = registry.get(step.type)?.templates ?? [];
    return [
      { path: `steps[${index}].when`, kind: 'condition', names },
      ...fields.map(({ path, kind, variables = [] }) => ({
        path: `steps[${index}].config.${path}`,
        kind,
        names: variables.length === 0 ? names : { ...names, variables: [...names.variables, ...variables] },
      })),
    ];
  });

function placed({ offset, ...problem }: TextProblem, { id }: StepDefinition, path: string): OffsetProblem {
  return { offset, problem: { ...problem, message: `step "${id}": ${problem.message}`, where: { path } } };
}

const reserved = ({ id }: StepDefinition, path: string): OffsetProblem => ({
  offset: 0,
  problem: {
    code: 'validation.reference',
    severity: 'error',
    message: `the id "${id}" hides the variable $${id}`,
    where: { path: `${path}.id` },
    mend: 'give the step another id',
  },
});

/** The direct predecessors of each step, without those that lead back. */
function sourcesOf({ cables }: WorkflowDefinition, bound: Bound['bound']): Map<string, string[]> {
  const sources = new Map<string, string[]>();
  for (const { from, to } of cables) {
    const [source = '', port = ''] = from.split('.');
    const [target = ''] = to.split('.');
    if (leadsBack(bound(source), port)) continue;
    const known = sources.get(target);
    if (known === undefined) sources.set(target, [source]);
    else known.push(source);
  }
  return sources;
}

/** For a step with an invalid configuration, this port is assumed to lead back. */
const leadsBack = (step: BoundStep | null, port: string): boolean =>
  port === 'revise_out' &&
  (step === null || step.ports.outputs.some((one) => one.name === port && one.leadsBack === true));

/** Searches backwards from a step; a producer is usually close. */
function reaches(sources: ReadonlyMap<string, readonly string[]>, from: string, wanted: string): boolean {
  const seen = new Set<string>();
  const open = [...(sources.get(from) ?? [])];
  for (let at = 0; at < open.length; at += 1) {
    const id = open[at] ?? '';
    if (id === wanted) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(sources.get(id) ?? []));
  }
  return false;
}

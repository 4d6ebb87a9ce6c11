import type { Problem } from '@contract/errors';
import { own } from '@contract/own';
import type { StepDefinition, WorkflowDefinition } from '@contract/workflow/definition';
import { type KnownNames, type TextProblem, templateProblems } from '../reference/check';
import { templatesIn } from '../reference/expand';
import { RESERVED_IDS } from '../reference/reference';
import type { StepRegistry } from '../step/module';

/** A problem with the offset at which its cause stands in the text at its path. */
export interface OffsetProblem {
  readonly problem: Problem;
  readonly offset: number;
}

/**
 * Checks every reference of a definition. It needs no plan, so what is wrong with references is told together with
 * everything else.
 */
export function referenceProblems(
  definition: WorkflowDefinition,
  registry: StepRegistry,
): readonly OffsetProblem[] {
  const { steps } = definition;
  const ids = new Set(steps.map(({ id }) => id));
  const sources = sourcesOf(definition, registry);
  const inputs = Object.keys(own(definition, 'inputs') ?? {});
  return steps.flatMap((step, index) => {
    const path = `steps[${index}]`;
    const names: KnownNames = {
      ...{ step: step.id, steps: [...ids], inputs, variables: [] },
      isStep: (id) => ids.has(id),
      isUpstream: (id) => reaches(sources, step.id, id),
    };
    const templates = templatesIn(step.config, registry.get(step.type)?.templates ?? []);
    const found = templates.flatMap((template) => {
      const variables = template.field.variables ?? [];
      const at = `${path}.config.${template.path}`;
      return templateProblems(template, { ...names, variables }).map((one) => placed(one, step, at));
    });
    return RESERVED_IDS.has(step.id) ? [reserved(step, path), ...found] : found;
  });
}

function placed({ offset, ...told }: TextProblem, { id }: StepDefinition, path: string): OffsetProblem {
  return { offset, problem: { ...told, message: `step "${id}": ${told.message}`, where: { path } } };
}

const reserved = ({ id }: StepDefinition, path: string): OffsetProblem => ({
  offset: 0,
  problem: {
    ...{
      code: 'validation.reference',
      severity: 'error',
      message: `the id "${id}" hides the variable $${id}`,
    },
    ...{ where: { path: `${path}.id` }, mend: 'give the step another id' },
  },
});

/** The steps that lead directly to each step, without those that lead back. */
function sourcesOf({ steps, cables }: WorkflowDefinition, registry: StepRegistry): Map<string, string[]> {
  const types = new Map(steps.map((step) => [step.id, step]));
  const sources = new Map<string, string[]>();
  for (const { from, to } of cables) {
    const [source = '', port = ''] = from.split('.');
    const [target = ''] = to.split('.');
    if (leadsBack(types.get(source), port, registry)) continue;
    const known = sources.get(target);
    if (known === undefined) sources.set(target, [source]);
    else known.push(source);
  }
  return sources;
}

function leadsBack(step: StepDefinition | undefined, port: string, registry: StepRegistry): boolean {
  if (port !== 'revise_out') return false;
  const module = registry.get(step?.type ?? '');
  const parsed = module?.config.safeParse(step?.config);
  if (module === undefined || parsed?.success !== true) return true;
  return module.bind(parsed.data).ports.outputs.some((one) => one.name === port && one.leadsBack === true);
}

/** Goes back from a step; a producer mostly stands close before it. */
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

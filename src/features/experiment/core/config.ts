import { stepDefinitionSchema } from '@areas/workflows/contract/definition';
import { variantSchema, variantStep } from '@areas/workflows/contract/variant';
import { lazyStrictObject } from '@contract/lazy-object';
import type { GraphContext, ModuleProblem } from '@main/core/step/module';
import { limitedByWorkflow, USUAL_PARALLEL } from '@main/core/step/parallel';
import { problemAt } from '@main/core/step/problem-at';
import type { StepBody } from '@main/core/step/scope';
import { z } from 'zod';

/** The number that a judge can compare. */
const MOST_VARIANTS = 20;

export const experimentConfigSchema = lazyStrictObject(() => ({
  /** The step that every variant runs. */
  target: stepDefinitionSchema,
  variants: z.array(variantSchema).min(2, 'an experiment compares at least two variants').max(MOST_VARIANTS),
  /** Maximum number of variants running at the same time. */
  max_parallel: z.number().int().min(1).max(256).default(USUAL_PARALLEL),
  /**
   * `worktree`: each variant that changes files has its own worktree. `inherit`: all work in the step's
   * folder.
   */
  isolation: z.enum(['worktree', 'inherit']).default('worktree'),
}));
export type ExperimentConfig = z.infer<typeof experimentConfigSchema>;

/** Each variant is a scope with one step: the target with its overrides. */
export function bodyOf({ target, variants }: ExperimentConfig): StepBody {
  return {
    kind: 'variants',
    variables: [],
    variants: variants.map((variant, index) => ({
      kind: 'inline',
      variables: [],
      steps: [variantStep(target, variant)],
      cables: [],
      at: (path) => pathInVariant(path, { variant, index }),
    })),
  };
}

/** The source of a problem in a variant's step: the variant's overrides, or the target. */
function pathInVariant(
  path: string,
  { variant, index }: { readonly variant: ExperimentConfig['variants'][number]; readonly index: number },
): string {
  const inStep = path.replace(/^steps\[0\]\.?/, '');
  const key = /^config\.([^.[]+)/.exec(inStep)?.[1];
  const at = `variants[${index}]`;
  if (key === 'instruction' && variant.instruction_override !== undefined)
    return `${at}.instruction_override${inStep.slice('config.instruction'.length)}`;
  if (key !== undefined && Object.hasOwn(variant.config_overrides ?? {}, key))
    return `${at}.config_overrides${inStep.slice('config'.length)}`;
  return inStep === '' ? 'target' : `target.${inStep}`;
}

export function validateExperiment(
  { variants, max_parallel }: ExperimentConfig,
  graph: Pick<GraphContext, 'maxParallel'>,
): ModuleProblem[] {
  const names = variants.map(({ name }) => name);
  const limited = limitedByWorkflow(max_parallel, graph, 'max_parallel');
  const inVariants = variants.flatMap(({ name, instruction_override, config_overrides = {} }, index) => [
    ...(names.indexOf(name) === index
      ? []
      : [problemAt(`variants[${index}].name`, `two variants are named "${name}"`, 'give each its own name')]),
    ...(instruction_override !== undefined && Object.hasOwn(config_overrides, 'instruction')
      ? [
          problemAt(
            `variants[${index}].config_overrides.instruction`,
            'the variant has two instructions',
            'keep instruction_override',
          ),
        ]
      : []),
  ]);
  return [...limited, ...inVariants];
}

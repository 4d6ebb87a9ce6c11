import { workflowBodySchema } from '@areas/workflows/contract/definition';
import { requiredText } from '@contract/bounds';
import { lazyStrictObject } from '@contract/lazy-object';
import { jsonItems } from '@main/core/step/json';
import type { GraphContext, ModuleProblem } from '@main/core/step/module';
import { limitedByWorkflow, USUAL_PARALLEL } from '@main/core/step/parallel';
import { problemAt } from '@main/core/step/problem-at';
import { RESERVED_IDS, type StepBody } from '@main/core/step/scope';
import { z } from 'zod';

/** More items are a mistake in the list, or a task for several runs. */
export const MOST_ITEMS = 10_000;

const nameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'the name of an input has letters, digits and _ only');

export const subworkflowConfigSchema = lazyStrictObject(() => ({
  /** A workflow file, by its path in the project. */
  file: requiredText().optional(),
  /** Or inline steps. */
  body: workflowBodySchema.optional(),
  /** `$INPUTS` of the steps. */
  inputs: z.record(nameSchema, z.union([z.string(), z.number(), z.boolean()])).default({}),
  /** Runs it once for each item of a list. */
  for_each: z
    .strictObject({
      /** A list, or a text with a JSON list: `$plan.output.files`. */
      items: z.union([requiredText(), z.array(z.unknown())]),
      /** The item's name among `$INPUTS`. */
      as: nameSchema.default('item'),
      /** Maximum number of items running at the same time. */
      max_parallel: z.number().int().min(1).max(256).default(USUAL_PARALLEL),
      /**
       * `all_success`: the first failed item ends the step. `all_done`: all items run, even after a
       * failure.
       */
      join: z.enum(['all_success', 'all_done']).default('all_success'),
      /**
       * `worktree`: each item that changes files has its own worktree. `inherit`: all work in the step's
       * folder.
       */
      isolation: z.enum(['worktree', 'inherit']).default('worktree'),
    })
    .optional(),
}));
export type SubworkflowConfig = z.infer<typeof subworkflowConfigSchema>;

const ITEM = ['ITEM'] as const;

export function bodyOf({ file, body, inputs, for_each }: SubworkflowConfig): StepBody | null {
  const names = [...Object.keys(inputs), ...(for_each === undefined ? [] : [for_each.as])];
  if (body !== undefined)
    return {
      kind: 'inline',
      variables: for_each === undefined ? [] : ITEM,
      inputs: names,
      steps: body.steps,
      cables: body.cables,
      output: body.output,
      at: (path) => (path === '' ? 'body' : `body.${path}`),
    };
  return file === undefined ? null : { kind: 'file', variables: [], inputs: names, file };
}

export function validateSubworkflow(
  { file, body, inputs, for_each }: SubworkflowConfig,
  graph: Pick<GraphContext, 'maxParallel'>,
): ModuleProblem[] {
  const problems: ModuleProblem[] =
    for_each === undefined ? [] : limitedByWorkflow(for_each.max_parallel, graph, 'for_each.max_parallel');
  if (for_each !== undefined && (Object.hasOwn(inputs, for_each.as) || RESERVED_IDS.has(for_each.as)))
    problems.push(
      problemAt(
        'for_each.as',
        `"${for_each.as}" is already the name of another value`,
        'choose another name',
      ),
    );
  if ((file === undefined) === (body === undefined))
    problems.push(problemAt('file', 'a step.workflow has a file or a body, not both', 'keep one of them'));
  const items = for_each?.items;
  if (Array.isArray(items) && items.length > MOST_ITEMS) problems.push(tooMany(items.length));
  else if (typeof items === 'string' && !items.includes('$') && itemsOf(items) === null)
    problems.push(problemAt('for_each.items', 'items is not a list', 'write a list, or a reference to one'));
  return problems;
}

const tooMany = (count: number): ModuleProblem =>
  problemAt('for_each.items', `${count} items are too many`, `at most ${MOST_ITEMS} run in one step`);

/** The items of a list, or of a JSON list, as texts; null if the text is no list. */
export function itemsOf(items: string | readonly unknown[]): readonly string[] | null {
  if (typeof items === 'string') return jsonItems(items);
  return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}

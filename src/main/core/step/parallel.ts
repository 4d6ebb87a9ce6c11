import type { GraphContext, ModuleProblem } from './module';

/** Items or variants at the same time where the author names no number. */
export const USUAL_PARALLEL = 5;

/** A step that asks for more at the same time than the workflow allows is told so. */
export function limitedByWorkflow(
  asked: number,
  { maxParallel }: Pick<GraphContext, 'maxParallel'>,
  path: string,
): ModuleProblem[] {
  if (asked <= maxParallel || asked === USUAL_PARALLEL) return [];
  return [
    {
      code: 'validation.config',
      severity: 'warning',
      message: `it asks for ${asked} at the same time, but in the workflow at most ${maxParallel} steps work at once`,
      path,
      mend: `write max_parallel: ${asked} at the top of the workflow`,
    },
  ];
}

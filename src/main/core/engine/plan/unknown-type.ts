import type { StepDefinition } from '@areas/workflows/contract/definition';
import type { Problem } from '@contract/errors';

/** The problem of a step whose type no module has; `known` are the existing types. */
export const unknownType = ({ type }: StepDefinition, path: string, known: readonly string[]): Problem => ({
  code: 'validation.unknown_step_type',
  severity: 'error',
  message: `there is no step type "${type}"`,
  where: { path: `${path}.type` },
  mend: `use one of: ${known.join(', ')}`,
});

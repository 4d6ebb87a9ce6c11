import type { Problem } from '@contract/errors';
import type { StepDefinition } from '@contract/workflow/definition';

/** Step types that are known by name and come later. Each has one call or a course of its own: none takes re-prompts. */
const LATER: ReadonlySet<string> = new Set(['step.experiment']);

/** What is wrong with a step whose type no module has; `known` are those that there are. */
export function unknownType(step: StepDefinition, path: string, known: readonly string[]): Problem[] {
  const { type, config } = step;
  const later = LATER.has(type);
  const told: Problem = {
    code: 'validation.unknown_step_type',
    severity: 'error',
    message: later ? `the step type "${type}" comes later` : `there is no step type "${type}"`,
    where: { path: `${path}.type` },
    mend: `use one of: ${known.join(', ')}`,
  };
  if (!later || !Object.hasOwn(Object(config), 're_prompts')) return [told];
  const refused: Problem = {
    code: 'validation.unknown_key',
    severity: 'error',
    message: `step "${step.id}": a ${type} takes no re_prompts`,
    where: { path: `${path}.config.re_prompts` },
    mend: 'ask again in a step.agent_task behind it',
  };
  return [told, refused];
}

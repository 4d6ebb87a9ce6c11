import type { StepDefinition, WorkflowDefinition } from '@areas/workflows/contract/definition';
import { fitsInput } from '@areas/workflows/contract/input-values';
import { minutesSchema, secondsSchema } from '@contract/bounds';
import type { Problem } from '@contract/errors';
import type { StepRegistry } from '../../step/module';
import { enforceable } from '../../step/output/format-keywords';

const wrong = (message: string, path: string, mend: string): Problem => ({
  code: 'validation.config',
  message,
  severity: 'error',
  where: { path },
  mend,
});

/**
 * Checks bounds for a workflow that is about to run. Definitions of stored runs are not checked again,
 * because they must stay readable when a bound changes.
 */
export function entryProblems(
  { budget, steps, returns, inputs = {} }: WorkflowDefinition,
  registry: StepRegistry,
): Problem[] {
  const problems: Problem[] = [];
  if (returns !== undefined && !steps.some(({ id }) => id === returns)) {
    const mend = `use one of: ${steps.map(({ id }) => id).join(', ')}`;
    problems.push(wrong(`returns: there is no step "${returns}"`, 'returns', mend));
  }
  for (const [name, input] of Object.entries(inputs)) {
    const { default: value, type } = input;
    if (value === undefined || fitsInput(String(value), input)) continue;
    const message = `the default of the input "${name}" is not a ${type}: ${value}`;
    problems.push(wrong(message, `inputs.${name}.default`, `write a ${type}, or change the type`));
  }
  const minutes = budget?.minutes === undefined ? null : minutesSchema.safeParse(budget.minutes);
  if (minutes?.success === false) {
    const mend = 'omit it if there is no limit';
    problems.push(wrong(`budget: ${minutes.error.issues[0]?.message ?? ''}`, 'budget.minutes', mend));
  }
  steps.forEach((step, index) => {
    const { id, retry } = step;
    problems.push(...formatProblems(step, index, registry));
    const delay = retry?.delay_seconds === undefined ? null : secondsSchema.safeParse(retry.delay_seconds);
    if (delay?.success === false) {
      const path = `steps[${index}].retry.delay_seconds`;
      const message = `step "${id}": ${delay.error.issues[0]?.message ?? ''}`;
      problems.push(wrong(message, path, 'omit it for 5 seconds'));
    }
    // Programs that read exported runs may use step ids as property names.
    if (id === '__proto__')
      problems.push(wrong(`the id "${id}" is reserved`, `steps[${index}].id`, 'give the step another id'));
  });
  return problems;
}

/** Parts of a step's `output_format` that cannot be enforced, or a note that its kind of step checks none. */
function formatProblems(step: StepDefinition, index: number, registry: StepRegistry): Problem[] {
  const { id, type, output_format: format } = step;
  const module = registry.get(type);
  if (format === undefined || module === undefined) return [];
  const path = `steps[${index}].output_format`;
  const problem = { code: 'validation.output_format' as const, severity: 'error' as const };
  if (!module.takesFormat) {
    const message = `step "${id}": the answer of a ${type} has no output_format`;
    return [
      { ...problem, message, where: { path }, mend: 'put it on a step.agent_task or step.command after it' },
    ];
  }
  return enforceable(format).flaws.map((flaw) => ({
    ...problem,
    mend: flaw.mend,
    message: `step "${id}": output_format: ${flaw.message}`,
    where: { path: flaw.path === '' ? path : `${path}.${flaw.path}` },
  }));
}

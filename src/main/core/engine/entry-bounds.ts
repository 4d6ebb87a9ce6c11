import { minutesSchema, secondsSchema } from '@contract/bounds';
import type { Problem } from '@contract/errors';
import type { WorkflowDefinition } from '@contract/workflow/definition';

const wrong = (message: string, path: string, mend: string): Problem => ({
  ...{ code: 'validation.config', message, severity: 'error', where: { path }, mend },
});

/**
 * Bounds of a workflow that a run is about to start with. Definitions of stored runs are not checked again, because they
 * must stay readable when a bound changes.
 */
export function entryProblems({ budget, steps }: WorkflowDefinition): Problem[] {
  const problems: Problem[] = [];
  const minutes = minutesSchema.optional().safeParse(budget?.minutes);
  if (!minutes.success) {
    const mend = 'leave it out where there is no limit';
    problems.push(wrong(`budget: ${minutes.error.issues[0]?.message ?? ''}`, 'budget.minutes', mend));
  }
  steps.forEach(({ id, retry }, index) => {
    const delay = secondsSchema.optional().safeParse(retry?.delay_seconds);
    if (!delay.success) {
      const path = `steps[${index}].retry.delay_seconds`;
      const message = `step "${id}": ${delay.error.issues[0]?.message ?? ''}`;
      problems.push(wrong(message, path, 'leave it out for 5 seconds'));
    }
    // Readers of exported runs outside of Muster assign by the id of a step.
    if (id === '__proto__')
      problems.push(wrong(`the id "${id}" is reserved`, `steps[${index}].id`, 'give the step another id'));
  });
  return problems;
}

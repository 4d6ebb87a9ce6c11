import type { Problem } from '@contract/errors';
import type { StepDefinition, WorkflowDefinition } from '@contract/workflow/definition';
import { type Comparison, type Condition, comparisonsOf } from '../reference/condition/condition';
import { parseCondition } from '../reference/condition/parse';
import { SCOPED, written } from '../reference/reference';
import { STEP_STATUSES } from '../reference/values';

/** What is asked of a planned step. */
interface Checked {
  readonly condition: Condition | null;
  readonly ancestors: readonly string[];
  readonly bound: { readonly agents: readonly unknown[] };
}

const ORDERING: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);
const NAMES_OF_SCOPES: ReadonlySet<string> = new Set(SCOPED);

/** The condition of a step; null where it has none, or one that cannot be read, which `conditionProblems` tells. */
export function conditionOf({ when }: StepDefinition): Condition | null {
  const parsed = when === undefined ? null : parseCondition(when);
  return parsed?.ok ? parsed.value : null;
}

/** The steps that a step's condition reads: it is asked once all of them are decided. */
export const referredSteps = ({ condition }: Pick<Checked, 'condition'>): string[] => [
  ...new Set((condition === null ? [] : comparisonsOf(condition)).flatMap((one) => stepOf(one) ?? [])),
];

function stepOf({ found: { reference } }: Comparison): string | null {
  return reference.kind === 'output' || reference.kind === 'status' ? reference.step : null;
}

/** Everything that is wrong with the conditions of a definition. */
export function conditionProblems(
  definition: WorkflowDefinition,
  steps: ReadonlyMap<string, Checked>,
): Problem[] {
  return definition.steps.flatMap((step, index) => {
    if (step.when === undefined) return [];
    const path = `steps[${index}].when`;
    const parsed = parseCondition(step.when);
    if (!parsed.ok) {
      const { message, where, mend } = parsed.error;
      const at = where?.column === undefined ? '' : ` (at character ${where.column})`;
      return [
        problem(step.id, path, { message: `${message}${at}`, ...(mend === undefined ? {} : { mend }) }),
      ];
    }
    const planned = steps.get(step.id);
    if (planned === undefined) return [];
    return comparisonsOf(parsed.value).flatMap((one): Problem[] => {
      const flaw = flawOf(one, planned, steps);
      return flaw === null ? [] : [problem(step.id, path, flaw)];
    });
  });
}

interface Flaw {
  readonly message: string;
  readonly mend?: string;
  readonly severity?: 'warning';
}

const problem = (id: string, path: string, { message, severity, ...more }: Flaw): Problem => ({
  ...{ code: 'validation.condition', severity: severity ?? 'error', where: { path }, ...more },
  message: `step "${id}": ${message}`,
});

function flawOf(one: Comparison, step: Checked, steps: ReadonlyMap<string, Checked>): Flaw | null {
  const { reference } = one.found;
  const name = written(reference);
  if (reference.kind === 'variable' && NAMES_OF_SCOPES.has(reference.name))
    return { message: `${name} has no value in a condition of a workflow` };
  if (reference.kind === 'variable' || reference.kind === 'input') return typeFlaw(one, name);
  if (reference.previous)
    return { message: `${name} is known inside the body of a loop only`, mend: 'leave LOOP_PREV. out' };
  const source = steps.get(reference.step);
  if (source === undefined)
    return {
      message: `${name}: there is no step "${reference.step}"`,
      mend: 'name a step that comes before',
    };
  if (!step.ancestors.includes(reference.step))
    return {
      message: `${name}: "${reference.step}" does not come before this step`,
      mend: `lead a cable from "${reference.step}" to it, for example to signal_in`,
    };
  if (reference.kind === 'status') return statusFlaw(one, name);
  const free = reference.field === null && source.bound.agents.length > 0;
  if (free)
    return {
      message: `${name} compares all that an agent wrote, which rarely is one exact text`,
      mend: 'let the step answer in JSON, and compare a field',
      severity: 'warning',
    };
  return typeFlaw(one, name);
}

function statusFlaw({ operator, literal }: Comparison, name: string): Flaw | null {
  const words = STEP_STATUSES.filter((status) => status !== 'running');
  const mend = `compare by == or != with one of: ${words.join(', ')}`;
  if (ORDERING.has(operator)) return { message: `${name} is a word and has no order`, mend };
  if (literal.type === 'text' && (words as readonly string[]).includes(literal.value)) return null;
  return { message: `${name} is never what it is compared with`, mend };
}

function typeFlaw({ operator, literal }: Comparison, name: string): Flaw | null {
  if (!ORDERING.has(operator) || literal.type === 'number') return null;
  if (literal.type === 'text' && literal.value.trim() !== '' && Number.isFinite(Number(literal.value)))
    return null;
  return {
    message: `${operator} compares numbers, and ${name} is compared with none`,
    mend: 'write a number',
  };
}

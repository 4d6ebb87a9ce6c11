import { evaluateCondition } from '@areas/workflows/core/reference/condition/evaluate';
import { readWhole } from '@areas/workflows/core/reference/values';
import { ok, type Result } from '@contract/result';
import type { RunState } from '@contract/run/state';
import type { Plan, PlannedStep } from '../plan/plan';
import { valuesOf } from './step-values';

/** The current value of a step's `when`; null if it has none. An error fails the step and never skips it. */
export function askCondition(
  { condition, definition }: PlannedStep,
  { plan, state }: { readonly plan: Plan; readonly state: RunState },
): Result<boolean> | null {
  if (condition === null) return null;
  const values = valuesOf(plan, state, definition.id);
  return evaluateCondition(condition, (reference) => {
    const read = readWhole(reference, values);
    return read.ok ? ok(read.value.text) : read;
  });
}

import type { StepDefinition } from '@areas/workflows/contract/definition';
import {
  type Comparison,
  type Condition,
  comparisonsOf,
} from '@areas/workflows/core/reference/condition/condition';
import { parseCondition } from '@areas/workflows/core/reference/condition/parse';

/** A step's condition; null if it has none, is switched off, or has an invalid one, which `referenceProblems` reports. */
export function conditionOf({ when, disabled }: StepDefinition): Condition | null {
  const parsed = when === undefined || disabled === true ? null : parseCondition(when);
  return parsed?.ok ? parsed.value : null;
}

/** The steps that a step's condition reads; it is evaluated once all of them are decided. */
export const referredSteps = ({ condition }: { readonly condition: Condition | null }): string[] => [
  ...new Set((condition === null ? [] : comparisonsOf(condition)).flatMap((one) => stepOf(one) ?? [])),
];

function stepOf({ found: { reference } }: Comparison): string | null {
  return 'step' in reference ? reference.step : null;
}

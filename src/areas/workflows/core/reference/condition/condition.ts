import type { FoundReference } from '../reference';

export const OPERATORS = ['==', '!=', '<=', '>=', '<', '>'] as const;
export type Operator = (typeof OPERATORS)[number];

export type Literal =
  | { readonly type: 'text'; readonly value: string }
  /** The number as written, so that large numbers keep all digits. */
  | { readonly type: 'number'; readonly digits: string }
  | { readonly type: 'boolean'; readonly value: boolean };

/** `$step.output.score >= 80`: a reference on the left, a literal on the right. */
export interface Comparison {
  readonly kind: 'compare';
  readonly found: FoundReference;
  readonly operator: Operator;
  readonly literal: Literal;
}

export type Condition =
  | Comparison
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] };

/** A condition's comparisons, in source order. */
export function comparisonsOf(condition: Condition): readonly Comparison[] {
  switch (condition.kind) {
    case 'compare':
      return [condition];
    case 'not':
      return comparisonsOf(condition.of);
    case 'and':
    case 'or':
      return condition.of.flatMap(comparisonsOf);
  }
}

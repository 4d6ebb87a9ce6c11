import { fail, ok, type Result } from '@contract/result';
import { type Reference, written } from '../reference';
import type { Comparison, Condition, Literal, Operator } from './condition';
import { compareNumbers } from './decimal';

/** Returns a reference's text, or an error if it has none. */
type Lookup = (reference: Reference) => Result<string>;

/**
 * Evaluates a condition from left to right and stops when the result is certain, so in `$a.status ==
 * 'succeeded' && $a.output.ok == true` the second reference is not read if the step did not run. An error
 * means that the step fails; it must never be treated as a skip.
 */
export function evaluateCondition(condition: Condition, lookup: Lookup): Result<boolean> {
  switch (condition.kind) {
    case 'compare':
      return compare(condition, lookup);
    case 'not': {
      const inner = evaluateCondition(condition.of, lookup);
      return inner.ok ? ok(!inner.value) : inner;
    }
    case 'and':
    case 'or': {
      const decides = condition.kind === 'or';
      for (const part of condition.of) {
        const held = evaluateCondition(part, lookup);
        if (!held.ok || held.value === decides) return held;
      }
      return ok(!decides);
    }
  }
}

function compare({ found, operator, literal }: Comparison, lookup: Lookup): Result<boolean> {
  const value = lookup(found.reference);
  if (!value.ok) return value;
  if (operator === '==') return ok(equals(value.value, literal));
  if (operator === '!=') return ok(!equals(value.value, literal));
  const order = compareNumbers(value.value, literalText(literal));
  if (order !== null) return ok(inOrder(operator, order));
  const message = `${written(found.reference)} is no number, so it cannot be compared by ${operator}`;
  return fail('reference.not_a_number', message, {
    mend: `compare it by == or !=, or let the step give a number there`,
  });
}

/** Numbers are equal by value (85 and 85.0), everything else by text. */
function equals(value: string, literal: Literal): boolean {
  if (literal.type === 'number') return compareNumbers(value, literal.digits) === 0;
  return value === literalText(literal);
}

function literalText(literal: Literal): string {
  if (literal.type === 'number') return literal.digits;
  return String(literal.value);
}

function inOrder(operator: Exclude<Operator, '==' | '!='>, order: number): boolean {
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

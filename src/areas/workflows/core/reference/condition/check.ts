import { stepStatuses } from '../../../contract/trial';
import { written } from '../reference';
import type { Comparison } from './condition';

interface Flaw {
  readonly message: string;
  readonly mend: string;
  readonly severity?: 'warning';
}

const ORDERING: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

/** Why a comparison makes no sense although its reference resolves; null if it does. */
export function comparisonFlaw(
  one: Comparison,
  { isFreeText }: { isFreeText(step: string): boolean },
): Flaw | null {
  const { reference } = one.found;
  const name = written(reference);
  if (reference.kind === 'status') return statusFlaw(one, name);
  if (reference.kind === 'output' && reference.field === null && isFreeText(reference.step))
    return {
      message: `${name} compares an agent’s whole answer, which rarely is one exact text`,
      mend: 'give the step an output_format, and compare a field',
      severity: 'warning',
    };
  return typeFlaw(one, name);
}

function statusFlaw({ operator, literal }: Comparison, name: string): Flaw | null {
  const words = stepStatuses.filter((status) => status !== 'running');
  const mend = `compare with == or != and one of: ${words.join(', ')}`;
  if (ORDERING.has(operator)) return { message: `${name} is a word and has no order`, mend };
  if (literal.type === 'text' && (words as readonly string[]).includes(literal.value)) return null;
  return { message: `${name} is never equal to this value`, mend };
}

function typeFlaw({ operator, literal }: Comparison, name: string): Flaw | null {
  if (!ORDERING.has(operator) || literal.type === 'number') return null;
  if (literal.type === 'text' && literal.value.trim() !== '' && Number.isFinite(Number(literal.value)))
    return null;
  return {
    message: `${operator} compares numbers, but ${name} is not compared with one`,
    mend: 'write a number',
  };
}

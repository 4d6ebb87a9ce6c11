import { fail, ok, type Result } from '@contract/result';
import type { Condition } from './condition';
import { type Flaw, type Token, tokensOf } from './tokens';

/** Maximum nesting of brackets and negations; more than a person writes, and far below the stack limit. */
const DEEPEST = 100;

/** A range of tokens being parsed. */
interface Reading {
  readonly tokens: readonly Token[];
  readonly length: number;
  at: number;
  depth: number;
}

type Read = { readonly condition: Condition } | { readonly flaw: Flaw };

/**
 * Parses a `when` condition: `$a.output.score >= 80 && !($b.status == 'failed')`. `&&` binds tighter than
 * `||`. The error's `where.column` counts from 1 within the text.
 */
export function parseCondition(text: string): Result<Condition> {
  const split = tokensOf(text);
  if ('flaw' in split) return failed(split.flaw);
  const reading: Reading = { tokens: split.tokens, length: text.length, at: 0, depth: 0 };
  const read = either(reading);
  if ('flaw' in read) return failed(read.flaw);
  const left = reading.tokens[reading.at];
  if (left !== undefined)
    return failed(flawAt(reading, '&& or || is missing here', 'join it with && or ||').flaw);
  return ok(read.condition);
}

const failed = ({ offset, message, mend }: Flaw): Result<never> =>
  fail('validation.condition', message, { where: { column: offset + 1 }, mend });

const either = (reading: Reading): Read => joined(reading, { sign: '||', kind: 'or', part: both });
const both = (reading: Reading): Read => joined(reading, { sign: '&&', kind: 'and', part: single });

function joined(
  reading: Reading,
  { sign, kind, part }: { sign: '&&' | '||'; kind: 'and' | 'or'; part: (reading: Reading) => Read },
): Read {
  const parts: Condition[] = [];
  for (;;) {
    const read = part(reading);
    if ('flaw' in read) return read;
    parts.push(read.condition);
    if (reading.tokens[reading.at]?.kind !== sign) break;
    reading.at += 1;
  }
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? { condition: only } : { condition: { kind, of: parts } };
}

function single(reading: Reading): Read {
  const token = reading.tokens[reading.at];
  if (token?.kind === '!' || token?.kind === '(') {
    if (reading.depth >= DEEPEST)
      return flawAt(reading, `more than ${DEEPEST} brackets are nested`, 'use fewer brackets');
    reading.at += 1;
    reading.depth += 1;
    const inner = token.kind === '!' ? single(reading) : either(reading);
    reading.depth -= 1;
    if ('flaw' in inner) return inner;
    if (token.kind === '!') return { condition: { kind: 'not', of: inner.condition } };
    if (reading.tokens[reading.at]?.kind !== ')')
      return flawAt(reading, 'a closing bracket is missing', 'add )');
    reading.at += 1;
    return inner;
  }
  return comparison(reading);
}

function comparison(reading: Reading): Read {
  const left = reading.tokens[reading.at];
  if (left?.kind !== 'reference')
    return flawAt(reading, 'a reference is expected here', "write for example $step.output.field == 'done'");
  reading.at += 1;
  const operator = reading.tokens[reading.at];
  if (operator?.kind !== 'operator') {
    const mend = 'compare it: add for example == true';
    return flawAt(reading, 'an operator is expected here', mend);
  }
  reading.at += 1;
  const right = reading.tokens[reading.at];
  if (right?.kind !== 'literal') {
    const mend = 'compare with a text in quotes, a number, true or false';
    return flawAt(reading, 'a literal is expected here', mend);
  }
  reading.at += 1;
  const { found } = left;
  return { condition: { kind: 'compare', found, operator: operator.operator, literal: right.literal } };
}

const flawAt = ({ tokens, at, length }: Reading, message: string, mend: string): { flaw: Flaw } => ({
  flaw: {
    offset: tokens[at]?.start ?? length,
    message: tokens[at] ? message : `${message}, but the condition ends`,
    mend,
  },
});

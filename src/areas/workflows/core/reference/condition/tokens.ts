import type { FoundReference } from '../reference';
import { referenceAt } from '../reference';
import { type Literal, OPERATORS, type Operator } from './condition';

export type Token = { readonly start: number } & (
  | { readonly kind: 'reference'; readonly found: FoundReference }
  | { readonly kind: 'operator'; readonly operator: Operator }
  | { readonly kind: 'literal'; readonly literal: Literal }
  | { readonly kind: '&&' | '||' | '!' | '(' | ')' }
);

/** An error in a condition, and its offset. */
export interface Flaw {
  readonly offset: number;
  readonly message: string;
  readonly mend: string;
}

const SPACE = /\s*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![A-Za-z0-9_.])/y;
const WORD = /[^\s()&|!=<>'"]+/y;
const SIGNS = ['&&', '||', '(', ')'] as const;

/** Splits a condition into tokens, or returns the first invalid one. */
export function tokensOf(text: string): { tokens: readonly Token[] } | { flaw: Flaw } {
  const tokens: Token[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const next = tokenAt(text, at);
    if ('flaw' in next) return next;
    tokens.push(next.token);
    at = skipSpace(text, next.end);
  }
  return { tokens };
}

type Read = { readonly token: Token; readonly end: number } | { readonly flaw: Flaw };

function tokenAt(text: string, start: number): Read {
  const operator = OPERATORS.find((one) => text.startsWith(one, start));
  if (operator !== undefined)
    return { token: { kind: 'operator', operator, start }, end: start + operator.length };
  const sign = SIGNS.find((one) => text.startsWith(one, start));
  if (sign !== undefined) return { token: { kind: sign, start }, end: start + sign.length };
  const first = text[start];
  if (first === '!') return { token: { kind: '!', start }, end: start + 1 };
  if (first === "'" || first === '"') return quoted(text, start, first);
  if (first === '$') return reference(text, start);
  return word(text, start);
}

function reference(text: string, start: number): Read {
  const found = referenceAt(text, start, 'condition');
  if (found === null) {
    const name = matchAt(WORD, text, start) ?? '$';
    const mend = 'write $step.output, $step.output.field, $step.status or $INPUTS.name';
    return flaw(start, `${name} is not a reference`, mend);
  }
  const behind = matchAt(/\.[A-Za-z0-9_.-]*/y, text, found.end);
  if (behind !== null)
    return flaw(found.end, `"${behind}" follows the reference`, 'only one field of an output can be read');
  return { token: { kind: 'reference', found, start }, end: found.end };
}

/** A text in single or double quotes; a backslash escapes a quote or a backslash. */
function quoted(text: string, start: number, quote: string): Read {
  let value = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === quote)
      return { token: { kind: 'literal', literal: { type: 'text', value }, start }, end: at + 1 };
    const next = text[at + 1];
    if (char === '\\' && (next === quote || next === '\\')) {
      value += next;
      at += 1;
    } else value += char;
  }
  return flaw(start, 'the text has no closing quote', `end it with ${quote}`);
}

function word(text: string, start: number): Read {
  const digits = matchAt(NUMBER, text, start);
  if (digits !== null)
    return {
      token: { kind: 'literal', literal: { type: 'number', digits }, start },
      end: start + digits.length,
    };
  const name = matchAt(WORD, text, start);
  if (name === 'true' || name === 'false') {
    const literal: Literal = { type: 'boolean', value: name === 'true' };
    return { token: { kind: 'literal', literal, start }, end: start + name.length };
  }
  const first = text[start] ?? '';
  if (first === '=') return flaw(start, 'a single = is not an operator', 'write == to compare');
  if (first === '&' || first === '|')
    return flaw(start, `a single ${first} is not an operator`, `write ${first}${first}`);
  const mend = `put a text in quotes: '${name ?? first}'`;
  return flaw(start, `"${name ?? first}" is not understood here`, mend);
}

const flaw = (offset: number, message: string, mend: string): { flaw: Flaw } => ({
  flaw: { offset, message, mend },
});

function matchAt(pattern: RegExp, text: string, start: number): string | null {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0] ?? null;
}

const skipSpace = (text: string, start: number): number => start + (matchAt(SPACE, text, start) ?? '').length;

import type { Json } from '@contract/ids';
import { Scalar, stringify } from 'yaml';

const ON_ONE_LINE = {
  collectionStyle: 'flow',
  lineWidth: 0,
  blockQuote: false,
  flowCollectionPadding: false,
} as const;

/** A value inside a flow collection, or on one line. Characters special there are quoted. */
export function inFlow(value: Json, padded = false): string {
  const pad = padded ? ' ' : '';
  if (Array.isArray(value)) return `[${value.map((one) => inFlow(one, padded)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, one]) => pairInFlow(key, one, padded));
    return pairs.length === 0 ? '{}' : `{${pad}${pairs.join(', ')}${pad}}`;
  }
  // The writer would break the text into several lines.
  if (typeof value === 'string' && /[\n\r]/.test(value)) return JSON.stringify(value);
  return stringify([value], ON_ONE_LINE).trimEnd().slice(1, -1);
}

export const pairInFlow = (key: string, value: Json, padded = false): string =>
  `${/^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) ? key : JSON.stringify(key)}: ${inFlow(value, padded)}`;

/** A value after a colon or dash: the part on that line, and the lines below, as under a key in column 0. */
export interface Block {
  readonly head: string;
  readonly lines: readonly string[];
}

export interface Style {
  /** Indentation of a block. */
  readonly indent: number;
  /** `steps:\n- id` instead of `steps:\n  - id`. */
  readonly flatLists: boolean;
  /** The previous value's quotes. */
  readonly quotes: 'QUOTE_DOUBLE' | 'QUOTE_SINGLE' | null;
}

const optionsOf = ({ indent, flatLists }: Style) =>
  ({
    lineWidth: 0,
    blockQuote: 'literal',
    indent,
    indentSeq: !flatLists,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  }) as const;

/** A text that ends with empty lines would absorb the following ones, so it is quoted. */
function closed(value: Json): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]));
  if (typeof value !== 'string' || !/\n[ \t]*\n$|^\n$/.test(value)) return value;
  const scalar = new Scalar(value);
  scalar.type = 'QUOTE_DOUBLE';
  return scalar;
}

/** A one-line text in quotes. */
export const quoted = (text: string, quotes: NonNullable<Style['quotes']>): string =>
  stringify(text, { defaultStringType: quotes, lineWidth: 0 }).trimEnd();

export function inBlock(value: Json, slot: 'pair' | 'entry', style: Style): Block {
  if (typeof value === 'string' && style.quotes !== null && !value.includes('\n'))
    return { head: quoted(value, style.quotes), lines: [] };
  const rendered = stringify(slot === 'pair' ? { k: closed(value) } : [closed(value)], optionsOf(style));
  const [first = '', ...lines] = linesOf(rendered);
  return { head: first.slice(2).trimStart(), lines };
}

/** `key: value` as lines of a block map in column 0. */
export const pairInBlock = (key: string, value: Json, style: Style): string[] =>
  linesOf(stringify(Object.fromEntries([[key, closed(value)]]), optionsOf(style)));

/** Without the last line end, which is not written. */
const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

export const indented = (lines: readonly string[], column: number): string[] =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(column) + line));

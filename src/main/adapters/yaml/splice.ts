import { type Alias, type Document, isAlias, isMap, isNode, isPair, isScalar, type Pair } from 'yaml';

/** Replaces the text between `from` and `to` with `text`. Equal offsets insert. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A parsed document with its source text, including tokens (`keepSourceTokens`). */
export interface Source {
  readonly text: string;
  readonly document: Document.Parsed;
  readonly eol: string;
}

/**
 * The same splice from two steps that share a part of the file is applied once. Of two insertions at one
 * place, the first comes first.
 */
export function splice(text: string, splices: readonly Splice[]): string {
  const once = new Map(splices.map((one) => [`${one.from} ${one.to} ${one.text}`, one]));
  const sorted = [...once.values()].sort((a, b) => a.from - b.from || a.to - b.to);
  let at = 0;
  let result = '';
  for (const { from, to, text: put } of sorted) {
    // Overlapping parts would be written twice; parsing the result detects that.
    result += text.slice(at, Math.max(at, from)) + put;
    at = Math.max(at, to);
  }
  return result + text.slice(at);
}

/** Follows an alias to its node. */
export function resolved(source: Source, node: unknown): unknown {
  return isAlias(node) ? (node as Alias).resolve(source.document) : node;
}

export function pairOf(node: unknown, key: string): Pair | null {
  if (!isMap(node)) return null;
  return (
    node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === key) ?? null
  );
}

/** Offset of a pair's key. */
export const keyStart = (pair: Pair): number => (isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0);

/** Offset after a pair's colon, or after its key if a flow map has only the key. */
export function afterColon(pair: Pair): number {
  const colon = pair.srcToken?.sep?.find((token) => token.type === 'map-value-ind');
  if (colon !== undefined) return colon.offset + 1;
  return isNode(pair.key) ? (pair.key.range?.[1] ?? 0) : 0;
}

/** True if the value is not written at all: `key:`. */
export function isUnwritten(node: unknown): boolean {
  return !isNode(node) || (isScalar(node) && node.range !== null && node.range?.[0] === node.range?.[1]);
}

/** The end offset of a pair's text, without a following comment or line end. */
export function pairEnd(pair: Pair): number {
  return isUnwritten(pair.value) ? afterColon(pair) : contentEnd(pair.value);
}

/**
 * The end offset of a node's text. A block ends after its last line end, including those that a text keeps
 * (`|+`).
 */
export const contentEnd = (node: unknown): number => (isNode(node) ? (node.range?.[1] ?? 0) : 0);

export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** Offset of the line end (its `\r` if present), or of the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at < 0) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}

/** Inserts whole lines after the line of `offset`. */
export function insertLines({ text, eol }: Source, offset: number, lines: readonly string[]): Splice {
  const block = lines.map((line) => line + eol).join('');
  if (offset > 0 && text[offset - 1] === '\n') return { from: offset, to: offset, text: block };
  const at = text.indexOf('\n', offset);
  if (at >= 0) return { from: at + 1, to: at + 1, text: block };
  return { from: text.length, to: text.length, text: eol + block.slice(0, -eol.length) };
}

export const indentOf = (text: string, offset: number): string =>
  ' '.repeat(offset - lineStart(text, offset));

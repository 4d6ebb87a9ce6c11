import { type Alias, type Document, isAlias, isMap, isNode, isPair, isScalar, type Pair } from 'yaml';

/** A change to a text: what stands from `from` to `to` becomes `text`. Equal offsets insert. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A parsed document with the text that it came from, kept with its tokens (`keepSourceTokens`). */
export interface Source {
  readonly text: string;
  readonly document: Document.Parsed;
  readonly eol: string;
}

/** The same splice twice, from two steps that share a part of the file, is done once. Of two at one place the first goes first. */
export function splice(text: string, splices: readonly Splice[]): string {
  const once = new Map(splices.map((one) => [`${one.from} ${one.to} ${one.text}`, one]));
  const sorted = [...once.values()].sort((a, b) => a.from - b.from || a.to - b.to);
  let at = 0;
  let result = '';
  for (const { from, to, text: put } of sorted) {
    // Parts that overlap would be written twice; the reader of the result finds that something is wrong with it.
    result += text.slice(at, Math.max(at, from)) + put;
    at = Math.max(at, to);
  }
  return result + text.slice(at);
}

/** Follows an alias to the node that it names. */
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

/** Offset after the colon of a pair, or after its key where a flow map has the key alone. */
export function afterColon(pair: Pair): number {
  const colon = pair.srcToken?.sep?.find((token) => token.type === 'map-value-ind');
  if (colon !== undefined) return colon.offset + 1;
  return isNode(pair.key) ? (pair.key.range?.[1] ?? 0) : 0;
}

/** True where the value is not written at all: `key:`. */
export function isUnwritten(node: unknown): boolean {
  return !isNode(node) || (isScalar(node) && node.range !== null && node.range?.[0] === node.range?.[1]);
}

/** Offset where the pair's text ends, without a comment or a line end after it. */
export function pairEnd(pair: Pair): number {
  return isUnwritten(pair.value) ? afterColon(pair) : contentEnd(pair.value);
}

/** Offset where a node's text ends. A block ends after its last line end, with those that a text keeps (`|+`). */
export const contentEnd = (node: unknown): number => (isNode(node) ? (node.range?.[1] ?? 0) : 0);

export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** Offset of the line end (its `\r` where it has one), or of the text's end. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at < 0) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}

/** Puts whole lines after the line in which `offset` stands. */
export function insertLines({ text, eol }: Source, offset: number, lines: readonly string[]): Splice {
  const block = lines.map((line) => line + eol).join('');
  if (offset > 0 && text[offset - 1] === '\n') return { from: offset, to: offset, text: block };
  const at = text.indexOf('\n', offset);
  if (at >= 0) return { from: at + 1, to: at + 1, text: block };
  return { from: text.length, to: text.length, text: eol + block.slice(0, -eol.length) };
}

export const indentOf = (text: string, offset: number): string =>
  ' '.repeat(offset - lineStart(text, offset));

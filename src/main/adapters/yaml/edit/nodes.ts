import { isMap, isNode, isPair, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { afterColon, isUnwritten, keyStart, lineEnd, lineStart } from '../splice';

interface Token {
  readonly type: string;
  readonly offset: number;
  readonly source: string;
}

const tokensOf = (tokens: unknown): readonly Token[] => (Array.isArray(tokens) ? (tokens as Token[]) : []);
const PROPS: ReadonlySet<string> = new Set(['anchor', 'tag']);
const startOfProps = (tokens: readonly Token[]): number | null =>
  tokens.find(({ type }) => PROPS.has(type))?.offset ?? null;
const anchorIn = (tokens: readonly Token[]): Token | null =>
  tokens.find(({ type }) => type === 'anchor') ?? null;

/** The place of a value: behind the colon of a pair, or behind the dash or comma of an entry. */
export interface Slot {
  readonly kind: 'pair' | 'entry' | 'root';
  readonly flow: boolean;
  readonly node: unknown;
  /** Offset after the colon or dash. */
  readonly intro: number;
  /** The colon is missing: `{ key }`. */
  readonly noColon: boolean;
  /** The column of the key or dash, from which a block is indented. */
  readonly column: number;
  /** The start offset of the value, including tag and anchor. */
  readonly start: number;
  readonly stop: number;
  /** `&name`. */
  readonly anchor: string | null;
}

const isBlockText = (node: unknown): boolean =>
  isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED');

/** Offset after a node's last character, without its line end or what follows. */
export function stopOf(text: string, node: unknown): number {
  if (!isNode(node)) return 0;
  const end = node.range?.[1] ?? 0;
  if (isBlockText(node)) {
    const start = node.range?.[0] ?? 0;
    const header = lineEnd(text, start);
    const keeps = /^[|>][^#\r\n]*\+/.test(text.slice(start, header));
    const last = keeps
      ? text.slice(0, end).replace(/\r?\n$/, '').length
      : text.slice(0, end).replace(/([ \t]*\r?\n)+[ \t]*$/, '').length;
    return Math.max(header, last);
  }
  if (isMap(node) && !node.flow) {
    const last = node.items.at(-1);
    return last === undefined ? end : pairStop(text, last);
  }
  if (isSeq(node) && !node.flow) {
    const at = node.items.length - 1;
    return at < 0 ? end : entrySlot(text, node, at).stop;
  }
  return end;
}

export function pairStop(text: string, pair: Pair): number {
  const least = propsEnd(tokensOf(pair.srcToken?.sep), afterColon(pair));
  return isUnwritten(pair.value) ? least : Math.max(least, stopOf(text, pair.value));
}

const propsEnd = (tokens: readonly Token[], least: number): number =>
  tokens
    .filter(({ type, offset }) => PROPS.has(type) && offset >= least)
    .reduce((end, { offset, source }) => Math.max(end, offset + source.length), least);

/** Offset of a pair, including the `?` of a complex key and what precedes the key. */
export function pairStart(pair: Pair): number {
  const before = tokensOf(pair.srcToken?.start).find(
    ({ type }) => PROPS.has(type) || type === 'explicit-key-ind',
  );
  return before?.offset ?? keyStart(pair);
}

export const columnOf = (text: string, offset: number): number => {
  const start = lineStart(text, offset);
  // A byte order mark takes no column.
  return offset - start - (start === 0 && text.startsWith('\uFEFF') ? 1 : 0);
};

export function pairSlot(text: string, map: YAMLMap, pair: Pair): Slot {
  const sep = tokensOf(pair.srcToken?.sep);
  const colon = sep.findIndex(({ type }) => type === 'map-value-ind');
  const intro = afterColon(pair);
  const written = !isUnwritten(pair.value) && isNode(pair.value);
  const props = sep.slice(colon + 1);
  const end = propsEnd(props, intro);
  const start = startOfProps(props) ?? (written ? (pair.value as { range?: number[] }).range?.[0] : null);
  return {
    kind: 'pair',
    flow: map.flow === true,
    node: written ? pair.value : null,
    intro,
    noColon: colon < 0,
    column: columnOf(text, pairStart(pair)),
    anchor: anchorIn(props)?.source ?? null,
    start: start ?? intro,
    stop: written ? Math.max(end, stopOf(text, pair.value)) : end,
  };
}

/** The tokens of a list's entries; trailing comments are not entries. */
function entryTokens(list: YAMLSeq): readonly { readonly start: readonly Token[] }[] {
  const token = list.srcToken;
  const items = token !== undefined && 'items' in token ? token.items : [];
  return (items as { start: readonly Token[]; value?: unknown }[]).filter(
    ({ start, value }) =>
      start.some(({ type }) => type === 'seq-item-ind') || (list.flow === true && value != null),
  );
}

/** Offset of the dash of a block list's entry. */
export const dashOf = (list: YAMLSeq, index: number): number =>
  entryTokens(list)[index]?.start.find(({ type }) => type === 'seq-item-ind')?.offset ?? 0;

export function entrySlot(text: string, list: YAMLSeq, index: number): Slot {
  const node = list.items[index];
  const flow = list.flow === true;
  const tokens = entryTokens(list)[index]?.start ?? [];
  const dash = flow ? 0 : dashOf(list, index);
  const from = tokens.findIndex(({ type }) => type === (flow ? 'comma' : 'seq-item-ind'));
  const props = tokens.slice(from + 1);
  const written = !isUnwritten(node) && isNode(node);
  const place = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  const intro = flow ? place : dash + 1;
  const end = propsEnd(props, intro);
  return {
    kind: 'entry',
    flow,
    node: written ? node : null,
    intro,
    noColon: false,
    column: columnOf(text, dash),
    anchor: anchorIn(props)?.source ?? null,
    start: startOfProps(props) ?? (written ? place : intro),
    stop: written ? Math.max(end, stopOf(text, node)) : end,
  };
}

/** Whether only spaces precede an offset in its line. */
export const isFirstInLine = (text: string, offset: number): boolean =>
  /^\uFEFF?[ ]*$/.test(text.slice(lineStart(text, offset), offset));

/** A list whose entries are plain nodes, each with its own tokens. */
export const isPlainList = (node: unknown): node is YAMLSeq =>
  isSeq(node) && node.items.every((item) => !isPair(item)) && entryTokens(node).length === node.items.length;

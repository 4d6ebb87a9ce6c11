import type { ConfigEdit } from '@areas/workflows/contract/migration';
import { isMap, isNode, isScalar, isSeq, type Pair, stringify, type YAMLMap, type YAMLSeq } from 'yaml';
import {
  afterColon,
  contentEnd,
  indentOf,
  insertLines,
  isUnwritten,
  keyStart,
  lineEnd,
  lineStart,
  pairEnd,
  pairOf,
  resolved,
  type Source,
  type Splice,
} from './splice';

/** An edit's change of the text, and its report. Null: not possible in this text. */
interface Written {
  readonly splices: readonly Splice[];
  readonly at: number;
  readonly path: string;
  readonly what: string;
}

/** The text, and the keys to remove from the current configuration. */
interface Editing extends Source {
  readonly dropped: ReadonlySet<string>;
}

const ON_ONE_LINE = { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false } as const;
const inFlow = (value: unknown): string =>
  typeof value === 'string'
    ? stringify(value, ON_ONE_LINE).trimEnd()
    : stringify(value, {
        ...ON_ONE_LINE,
        defaultStringType: 'QUOTE_DOUBLE',
        defaultKeyType: 'PLAIN',
      }).trimEnd();
const inBlock = (value: unknown): string[] => stringify(value, { lineWidth: 0 }).trimEnd().split('\n');

/** Writes one edit of a step's configuration into the text. Everything else stays unchanged. */
export function writeEdit(source: Editing, config: YAMLMap, edit: ConfigEdit): Written | null {
  if (edit.kind === 'set') return writeSet(source, config, edit);
  if (edit.kind === 'drop') return writeDrop(source, config, edit);
  return writeAppend(source, config, edit);
}

function writeSet(
  source: Editing,
  config: YAMLMap,
  { key, value, after }: ConfigEdit & { kind: 'set' },
): Written {
  const pair = pairOf(config, key);
  const change = { path: key, what: `${key} is ${typeof value === 'string' ? value : 'added'}` };
  if (pair === null) {
    const before = (after === undefined ? null : pairOf(config, after)) ?? config.items.at(-1) ?? null;
    return { ...change, ...addPair(source, { map: config, after: before }, { key, value }) };
  }
  const at = keyStart(pair);
  const was = isScalar(pair.value) && pair.value.value !== null ? `, it was ${String(pair.value.value)}` : '';
  return {
    ...change,
    what: change.what + was,
    at,
    splices: [replaceValue(source, { map: config, pair }, value)],
  };
}

/** A scalar in the old value's quotes; a list on separate lines if the map's other lists are. */
function replaceValue(source: Editing, { map, pair }: { map: YAMLMap; pair: Pair }, value: unknown): Splice {
  const colon = afterColon(pair);
  const unwritten = isUnwritten(pair.value) || !isNode(pair.value);
  const to = unwritten ? colon : contentEnd(pair.value);
  if (typeof value === 'object' && !map.flow && lineEnd(source.text, colon) === to) {
    const indent = `${indentOf(source.text, keyStart(pair))}  `;
    return {
      from: colon,
      to,
      text: inBlock(value)
        .map((line) => source.eol + indent + line)
        .join(''),
    };
  }
  if (unwritten) return { from: colon, to, text: ` ${inFlow(value)}` };
  const type = isScalar(pair.value) && typeof value === 'string' ? pair.value.type : undefined;
  const quoted = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE';
  const text = quoted ? stringify(value, { defaultStringType: type, lineWidth: 0 }).trimEnd() : inFlow(value);
  return { from: (isNode(pair.value) ? pair.value.range?.[0] : null) ?? colon, to, text };
}

interface Spot {
  readonly map: YAMLMap;
  readonly after: Pair | null;
}

function addPair(
  source: Editing,
  { map, after }: Spot,
  { key, value }: { key: string; value: unknown },
): Pick<Written, 'splices' | 'at'> {
  if (map.flow || after === null) {
    const from = after === null ? (map.range?.[0] ?? 0) + 1 : pairEnd(after);
    const text = `${after === null ? '' : ', '}${key}: ${inFlow(value)}`;
    return { at: from, splices: [{ from, to: from, text }] };
  }
  const indent = indentOf(source.text, keyStart(map.items[0] ?? after));
  const lines = inBlock({ [key]: value }).map((line) => indent + line);
  return { at: keyStart(after), splices: [insertLines(source, pairEnd(after), lines)] };
}

function writeDrop(
  source: Editing,
  config: YAMLMap,
  { key, why }: ConfigEdit & { kind: 'drop' },
): Written | null {
  const pair = pairOf(config, key);
  if (pair === null) return null;
  const at = keyStart(pair);
  const change = { at, path: key, what: `${key} is kept as a comment` };
  const onOwnLines = standsAlone(source.text, at, wordsEnd(source, pair));
  if (!onOwnLines && !config.flow) return null;
  if (!onOwnLines) return { ...change, splices: takeOut(source, { config, pair, why }) };
  const splices = commentOut(source, pair, why);
  // A map with only comments would not be a map.
  const only = config.items.length === 1 && !config.flow;
  const rest = only ? [insertLines(source, wordsEnd(source, pair), [`${indentOf(source.text, at)}{}`])] : [];
  return { ...change, splices: [...splices, ...rest] };
}

/** Without the line ends that a block scalar keeps. */
const wordsEnd = (source: Source, pair: Pair): number => {
  const start = keyStart(pair);
  return start + source.text.slice(start, pairEnd(pair)).trimEnd().length;
};

/** True if its lines contain only the pair, a comma and a comment. */
function standsAlone(text: string, from: number, to: number): boolean {
  const before = text.slice(lineStart(text, from), from);
  return /^[ ]*$/.test(before) && /^\s*,?\s*(#.*)?$/.test(text.slice(to, lineEnd(text, to)));
}

function commentOut(source: Editing, pair: Pair, why: string): Splice[] {
  const { text } = source;
  const start = keyStart(pair);
  const end = wordsEnd(source, pair);
  const column = start - lineStart(text, start);
  const splices: Splice[] = [];
  for (let at = lineStart(text, start); at <= end && at < text.length; at = text.indexOf('\n', at) + 1) {
    const indent = /^ */.exec(text.slice(at, lineEnd(text, at)))?.[0].length ?? 0;
    const from = at + Math.min(indent, column);
    if (from >= end) break;
    splices.push({ from, to: from, text: '# ' });
    if (text.indexOf('\n', at) < 0) break;
  }
  const first = Math.min(end, lineEnd(text, start));
  return [...splices, { from: first, to: first, text: ` (${why})` }];
}

/** From the middle of a line: the comment goes above that line. */
function takeOut(
  source: Editing,
  { config, pair, why }: { config: YAMLMap; pair: Pair; why: string },
): Splice[] {
  const { text, eol, dropped } = source;
  const index = config.items.indexOf(pair);
  const stays = ({ key }: Pair) => !(isScalar(key) && dropped.has(String(key.value)));
  const before = config.items.slice(0, index).findLast(stays);
  const next = config.items.slice(index + 1).find(stays);
  const start = keyStart(pair);
  const end = wordsEnd(source, pair);
  // With the preceding comma, or the following one if nothing remains before it.
  const from = before === undefined ? start : pairEnd(before);
  const to = before === undefined && next !== undefined ? keyStart(next) : end;
  const line = lineStart(text, start);
  const indent = /^ */.exec(text.slice(line))?.[0] ?? '';
  const kept = text.slice(start, end).replace(/\s*\n\s*/g, ' ');
  return [
    { from: line, to: line, text: `${indent}# ${kept} (${why})${eol}` },
    { from, to, text: '' },
  ];
}

function writeAppend(
  source: Editing,
  config: YAMLMap,
  { path, values }: ConfigEdit & { kind: 'append' },
): Written | null {
  const holder = path.slice(0, -1).reduce<unknown>((node, part) => childOf(source, node, part), config);
  if (!isMap(holder)) return null;
  const key = String(path.at(-1));
  const pair = pairOf(holder, key);
  const more = values.length === 1 ? 'one entry' : `${values.length} entries`;
  const change = { path: pathText(path), what: `${more} added to ${key}` };
  if (pair === null) {
    return {
      ...change,
      ...addPair(source, { map: holder, after: holder.items.at(-1) ?? null }, { key, value: values }),
    };
  }
  const list = resolved(source, pair.value);
  const at = keyStart(pair);
  if (isSeq(list) && list.items.length > 0) return { ...change, at, splices: [extend(source, list, values)] };
  return { ...change, at, splices: [replaceValue(source, { map: holder, pair }, values)] };
}

function extend(source: Editing, list: YAMLSeq, values: readonly string[]): Splice {
  const end = contentEnd(list.flow ? list.items.at(-1) : list);
  if (list.flow)
    return { from: end, to: end, text: values.map((value) => `, ${inFlow([value]).slice(1, -1)}`).join('') };
  const dash = dashOf(list);
  const lines = inBlock(values).map((line) => indentOf(source.text, dash) + line);
  return insertLines(source, end, lines);
}

function dashOf(list: YAMLSeq): number {
  const token = list.srcToken;
  const items = token !== undefined && 'items' in token ? token.items : [];
  const last = items.findLast((item) => item.start.some(({ type }) => type === 'seq-item-ind'));
  return last?.start.find(({ type }) => type === 'seq-item-ind')?.offset ?? list.range?.[0] ?? 0;
}

function childOf(source: Editing, node: unknown, part: string | number): unknown {
  const held = resolved(source, node);
  if (typeof part === 'number') return isSeq(held) ? resolved(source, held.items[part]) : null;
  return resolved(source, pairOf(held, part)?.value);
}

const pathText = (path: readonly (string | number)[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');

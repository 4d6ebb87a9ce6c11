import type { Change } from '@areas/workflows/contract/change';
import type { ValuePath } from '@areas/workflows/contract/edit';
import type { Json } from '@contract/ids';
import { isMap, isPair, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { lineEnd, lineStart, pairOf, resolved, type Splice } from '../splice';
import { withOldText } from './moved-lines';
import {
  columnOf,
  dashOf,
  entrySlot,
  isFirstInLine,
  isPlainList,
  pairSlot,
  pairStart,
  pairStop,
  type Slot,
  stopOf,
} from './nodes';
import { inBlock, indented, inFlow, pairInBlock, pairInFlow } from './render';
import { type Editing, put, styleOf } from './replace-value';

/** The splices for one change; null if the text is written in a way that does not allow it. */
export function changeText(editing: Editing, change: Change, after: Json): Splice[] | null {
  if (change.op === 'set' || change.op === 'unset') {
    const key = change.path.at(-1);
    if (key === undefined) return change.op === 'set' ? put(editing, rootSlot(editing), change.value) : null;
    const holder = nodeAt(editing, change.path.slice(0, -1));
    if (isMap(holder)) return changeMap(editing, holder, { change, key: String(key), after });
    if (!isPlainList(holder) || change.op === 'unset' || typeof key !== 'number') return null;
    return key < holder.items.length
      ? put(editing, entrySlot(editing.text, holder, key), change.value)
      : null;
  }
  const list = nodeAt(editing, change.path);
  if (!isPlainList(list)) return null;
  const { length } = list.items;
  const left = change.op === 'insert' ? length : length - 1;
  // An empty list is written as [], and has no place to add to.
  if ((change.op === 'insert' ? length : left) === 0) return replaced(editing, change.path, after);
  if (change.op === 'insert') return insert(editing, list, change);
  if (change.op === 'remove') return remove(editing, list, change.at);
  return move(editing, list, change) ?? replaced(editing, change.path, after);
}

/** The node at a path, through aliases. */
function nodeAt(editing: Editing, path: ValuePath): unknown {
  let node: unknown = resolved(editing, editing.document.contents);
  for (const part of path) {
    if (isSeq(node)) node = typeof part === 'number' ? node.items[part] : null;
    else node = pairOf(node, String(part))?.value ?? null;
    node = resolved(editing, node);
  }
  return node;
}

function rootSlot({ document, text }: Editing): Slot {
  const { contents } = document;
  const range = contents?.range ?? [text.length, text.length, text.length];
  const written = contents !== null && !(isScalar(contents) && range[0] === range[1]);
  return {
    kind: 'root',
    flow: false,
    node: written ? contents : null,
    intro: range[0],
    noColon: false,
    column: 0,
    start: range[0],
    stop: written ? stopOf(text, contents) : range[0],
    anchor: null,
  };
}

/** The slot of a path's value; null if an alias is there, whose anchor has another slot. */
function slotAt(editing: Editing, path: ValuePath): Slot | null {
  const key = path.at(-1);
  if (key === undefined) return rootSlot(editing);
  const holder = nodeAt(editing, path.slice(0, -1));
  if (isPlainList(holder) && typeof key === 'number')
    return key < holder.items.length ? entrySlot(editing.text, holder, key) : null;
  const pair = pairOf(holder, String(key));
  return isMap(holder) && pair !== null ? pairSlot(editing.text, holder, pair) : null;
}

/** Rewrites the whole value at a path. */
function replaced(editing: Editing, path: ValuePath, after: Json): Splice[] | null {
  const slot = slotAt(editing, path);
  return slot === null ? null : put(editing, slot, after);
}

interface MapChange {
  readonly change: Change & { op: 'set' | 'unset' };
  readonly key: string;
  /** The map afterwards. */
  readonly after: Json;
}

function changeMap(editing: Editing, map: YAMLMap, { change, key, after }: MapChange): Splice[] | null {
  const pair = pairOf(map, key);
  const { path } = change;
  if (change.op === 'unset') {
    if (pair === null) return [];
    return map.items.length === 1
      ? replaced(editing, path.slice(0, -1), after)
      : removePair(editing, map, pair);
  }
  if (pair !== null) return put(editing, pairSlot(editing.text, map, pair), change.value);
  if (map.items.length === 0) return replaced(editing, path.slice(0, -1), after);
  return addPair(editing, map, { change, key });
}

function addPair(
  editing: Editing,
  map: YAMLMap,
  { change: { value, after = [], line }, key }: { change: Change & { op: 'set' }; key: string },
): Splice[] | null {
  const { text, flatLists } = editing;
  const keyOf = (pair: Pair) => (isScalar(pair.key) ? String(pair.key.value) : '');
  const before = map.items.findLast((pair) => after.includes(keyOf(pair))) ?? map.items.at(-1);
  const first = map.items[0];
  if (before === undefined || first === undefined || !isPair(first)) return null;
  const at = pairStop(text, before);
  if (map.flow) return [{ from: at, to: at, text: `, ${pairInFlow(key, value)}` }];
  const style = { indent: 2, flatLists, quotes: null };
  const plain = pairInBlock(key, line === true ? null : value, style);
  const lines = line === true ? [`${plain[0]?.replace(/ null$/, '')} ${inFlow(value, true)}`] : plain;
  const put = indented(lines, columnOf(text, pairStart(first)));
  return [below(editing, at, put)];
}

/** Inserts whole lines below the line of an offset. */
function below({ text, eol }: Editing, offset: number, lines: readonly string[]): Splice {
  const at = lineEnd(text, offset);
  const atEnd = at === text.length;
  // A text that ends with an empty line needs that line's end.
  const last = atEnd && lines.at(-1) === '' ? eol : '';
  return { from: at, to: at, text: lines.map((line) => eol + line).join('') + last };
}

function removePair({ text }: Editing, map: YAMLMap, pair: Pair): Splice[] {
  const index = map.items.indexOf(pair);
  const [start, stop] = [pairStart(pair), pairStop(text, pair)];
  const [before, next] = [map.items[index - 1], map.items[index + 1]];
  if (map.flow)
    return [
      outOfFlow({ start, stop, before: before && pairStop(text, before), next: next && pairStart(next) }),
    ];
  return [outOfBlock(text, { start, stop, next: next && pairStart(next) })];
}

interface Taken {
  readonly start: number;
  readonly stop: number;
  /** End of what precedes it. */
  readonly before?: number | undefined;
  /** Start of what follows it. */
  readonly next?: number | undefined;
}

const outOfFlow = ({ start, stop, before, next }: Taken): Splice =>
  next === undefined ? { from: before ?? start, to: stop, text: '' } : { from: start, to: next, text: '' };

/**
 * Removes whole lines; on a line with a dash in front only the rest, and the next key or dash takes its
 * place.
 */
function outOfBlock(text: string, { start, stop, next }: Taken): Splice {
  if (isFirstInLine(text, start)) return wholeLines(text, start, stop);
  if (next !== undefined && /^\s*$/.test(text.slice(stop, next))) return { from: start, to: next, text: '' };
  let from = start;
  while (text[from - 1] === ' ') from -= 1;
  return { from, to: lineEnd(text, stop), text: '' };
}

function wholeLines(text: string, start: number, stop: number): Splice {
  const end = text.indexOf('\n', lineEnd(text, stop));
  const from = lineStart(text, start);
  if (end >= 0) return { from, to: end + 1, text: '' };
  // The last line: removes the preceding line end instead of its own.
  const before = from > 0 ? from - (text[from - 2] === '\r' ? 2 : 1) : from;
  return { from: before, to: text.length, text: '' };
}

/** A new entry's value, formatted like its neighbours. */
function entryLines(editing: Editing, list: YAMLSeq, { path, value }: Change & { op: 'insert' }): string[] {
  const cables = nodeAt(editing, [...path.slice(0, -1), 'cables']);
  const old = { value, slot: rootSlot(editing), steps: list, cables };
  const kept = editing.keepsText && path.at(-1) === 'steps' ? withOldText(editing, old) : null;
  if (kept !== null) return kept;
  const beside = resolved(editing, list.items[0]);
  if (isMap(beside) && beside.flow === true && typeof value === 'object' && value !== null)
    return [`- ${inFlow(value, true)}`];
  const style = { ...styleOf(editing, rootSlot(editing)), quotes: null };
  const { head, lines } = inBlock(value, 'entry', style);
  return [`- ${head}`.trimEnd(), ...lines];
}

function insert(editing: Editing, list: YAMLSeq, change: Change & { op: 'insert' }): Splice[] | null {
  const { at, value } = change;
  const { text, eol } = editing;
  const before = at === 0 ? null : entrySlot(text, list, at - 1);
  if (list.flow) {
    if (before !== null) return [{ from: before.stop, to: before.stop, text: `, ${inFlow(value)}` }];
    const { start } = entrySlot(text, list, 0);
    return [{ from: start, to: start, text: `${inFlow(value)}, ` }];
  }
  const dash = dashOf(list, 0);
  const lines = indented(entryLines(editing, list, change), columnOf(text, dash));
  if (before !== null) return [below(editing, before.stop, lines)];
  const put = lines.map((line) => line + eol).join('');
  if (isFirstInLine(text, dash)) {
    const from = aboveComments(text, dash);
    return [{ from, to: from, text: put }];
  }
  const column = columnOf(text, dash);
  return [{ from: dash, to: dash, text: put.slice(column) + ' '.repeat(column) }];
}

/** The start of an entry's lines, including the comments directly above. */
function aboveComments(text: string, dash: number): number {
  const start = lineStart(text, dash);
  const indent = text.slice(start, dash);
  let from = start;
  while (from > 0) {
    const above = lineStart(text, from - 1);
    const line = text.slice(above, from);
    if (!line.startsWith(`${indent}#`)) break;
    from = above;
  }
  return from;
}

function remove({ text }: Editing, list: YAMLSeq, at: number): Splice[] {
  const slot = entrySlot(text, list, at);
  const next = at + 1 < list.items.length;
  if (!list.flow) {
    const start = dashOf(list, at);
    return [outOfBlock(text, { start, stop: slot.stop, next: next ? dashOf(list, at + 1) : undefined })];
  }
  return [
    outOfFlow({
      start: slot.start,
      stop: slot.stop,
      before: at > 0 ? entrySlot(text, list, at - 1).stop : undefined,
      next: next ? entrySlot(text, list, at + 1).start : undefined,
    }),
  ];
}

/** Null if an entry shares lines with others. */
function move({ text, eol }: Editing, list: YAMLSeq, { at, to }: Change & { op: 'move' }): Splice[] | null {
  const slots = list.items.map((_, index) => entrySlot(text, list, index));
  if (list.flow) {
    const order = slots.map((_, index) => index);
    order.splice(to, 0, ...order.splice(at, 1));
    return order.flatMap((from, index): Splice[] => {
      const [put, place] = [slots[from], slots[index]];
      if (put === undefined || place === undefined || from === index) return [];
      return [{ from: place.start, to: place.stop, text: text.slice(put.start, put.stop) }];
    });
  }
  const dashes = list.items.map((_, index) => dashOf(list, index));
  const [own, target, slot, place] = [dashes[at], dashes[to], slots[at], slots[to]];
  if (own === undefined || target === undefined || slot === undefined || place === undefined) return null;
  if (!dashes.every((dash) => isFirstInLine(text, dash))) return null;
  const start = aboveComments(text, own);
  const taken = text.slice(start, lineEnd(text, slot.stop));
  const out = wholeLines(text, start, slot.stop);
  if (to > at) {
    const end = lineEnd(text, place.stop);
    return [out, { from: end, to: end, text: eol + taken }];
  }
  const above = aboveComments(text, target);
  return [{ from: above, to: above, text: taken + eol }, out];
}

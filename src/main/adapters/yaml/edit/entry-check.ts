import { isDeepStrictEqual } from 'node:util';
import { type Change, valueAt } from '@areas/workflows/contract/change';
import type { Json } from '@contract/ids';
import { isMap, isSeq, type Pair, parseDocument } from 'yaml';
import { meaningOf } from '../aliases';
import { unshared } from '../config-edits';
import { lineStart, pairOf, type Splice, splice } from '../splice';
import { columnOf, dashOf, isFirstInLine, pairStart } from './nodes';
import type { Editing } from './replace-value';

interface EntryEdit {
  readonly changes: readonly Change[];
  readonly splices: readonly Splice[];
  readonly expected: Json;
}

type Read = Pick<Editing, 'text' | 'document' | 'eol'> & { readonly value: Json };

/**
 * Whether a change of one step or cable reads as intended, judged by its own lines: parsing the whole text
 * takes a hundred times as long in a large file. The entry's lines are parsed with what follows them, before
 * and after the change; false if the rest of the text is needed. For texts without aliases.
 */
export function saysInEntry(read: Read, { changes, splices, expected }: EntryEdit): boolean {
  const place = entryOf(changes);
  const lines = place === null ? null : linesOf(read, place);
  if (place === null || lines === null) return false;
  const { from, to } = lines;
  if (!splices.every((one) => one.from >= from && one.to <= to)) return false;
  const before = read.text.slice(from, to);
  const inside = splices.map((one) => ({ ...one, from: one.from - from, to: one.to - from }));
  const path = [place.list, place.at];
  return (
    says(lines, before, valueAt(read.value, path)) &&
    says(lines, splice(before, inside), valueAt(expected, path))
  );
}

interface EntryPlace {
  readonly list: string;
  readonly at: number;
}

/** The workflow's list entry that contains all changes; null if they reach further. */
function entryOf(changes: readonly Change[]): EntryPlace | null {
  const [list, at] = changes[0]?.path ?? [];
  if (typeof list !== 'string' || typeof at !== 'number') return null;
  return changes.every(({ path }) => path.length > 2 && path[0] === list && path[1] === at)
    ? { list, at }
    : null;
}

interface Lines {
  readonly from: number;
  readonly to: number;
  /** Replacement for the text before and after the entry. */
  readonly head: string;
  readonly tail: string;
  /** The value that these give around the entry. */
  around(entry: Json): Json;
}

function linesOf({ text, document, eol }: Read, { list, at }: EntryPlace): Lines | null {
  // In another YAML version the same lines could have another meaning.
  if (document.directives?.yaml.explicit === true) return null;
  const root = document.contents;
  const pair = pairOf(root, list);
  const seq = pair?.value;
  if (!isMap(root) || root.flow === true || pair === null || !isSeq(seq) || seq.flow === true) return null;
  const last = at === seq.items.length - 1;
  const dash = dashOf(seq, at);
  const behind = last ? nextKey(root.items, pair) : dashOf(seq, at + 1);
  if (columnOf(text, pairStart(pair)) !== 0 || behind === null) return null;
  if (!isFirstInLine(text, dash) || !isFirstInLine(text, behind)) return null;
  const indent = text.slice(lineStart(text, behind), behind);
  return {
    from: lineStart(text, dash),
    to: lineStart(text, behind),
    head: `${list}:${eol}`,
    tail: last ? `behind: 1${eol}` : `${indent}- 1${eol}`,
    around: (entry) => (last ? { [list]: [entry], behind: 1 } : { [list]: [entry, 1] }),
  };
}

/** The start of the workflow's next key. */
function nextKey(items: readonly Pair[], pair: Pair): number | null {
  const next = items[items.indexOf(pair) + 1];
  return next === undefined ? null : pairStart(next);
}

function says({ head, tail, around }: Lines, lines: string, entry: Json | undefined): boolean {
  const document = parseDocument(head + lines + tail, { prettyErrors: false });
  if (entry === undefined || document.errors.length > 0) return false;
  const { value, troubles } = meaningOf(document);
  return troubles.length === 0 && isDeepStrictEqual(unshared(value), unshared(around(entry)));
}

import { shown } from '@areas/workflows/contract/apply-edit';
import { applyChange, type Change, isMap } from '@areas/workflows/contract/change';
import type { ValuePath } from '@areas/workflows/contract/edit';
import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import {
  type Alias,
  type Document,
  isAlias,
  isNode,
  isPair,
  isScalar,
  isSeq,
  isMap as isYamlMap,
  visit,
} from 'yaml';
import { unshared } from '../config-edits';
import { pairOf } from '../splice';

type Part = string | number;

function hasAliases(document: Document): boolean {
  let found = false;
  visit(document, {
    Alias() {
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

/**
 * Every place of the value that a node produces, also through aliases, as paths; null if there are too many.
 */
function placesOf(document: Document, wanted: unknown): ValuePath[] {
  const found: ValuePath[] = [];
  const walk = (node: unknown, path: Part[]): void => {
    const real = isAlias(node) ? (node as Alias).resolve(document) : node;
    if (real === wanted) found.push(path);
    if (isYamlMap(real))
      for (const pair of real.items)
        walk(pair.value, [...path, isScalar(pair.key) ? String(pair.key.value) : String(pair.key)]);
    else if (isSeq(real))
      real.items.forEach((item, index) => {
        if (!isPair(item)) walk(item, [...path, index]);
      });
  };
  walk(document.contents, []);
  return found;
}

/** The document after a change of the text: in every place that the changed node produces. */
function applied(document: Document, change: Change): Json {
  const value = unshared((document.toJS({ maxAliasCount: 100 }) ?? null) as Json);
  const around = change.op === 'set' || change.op === 'unset' ? change.path.slice(0, -1) : change.path;
  const key = change.path.at(-1);
  const holder = nodeAt(document, around);
  // Replacing an alias changes its own place; replacing an anchored node changes its aliases' places too.
  const target = change.op === 'set' && key !== undefined ? childOf(holder, key) : null;
  if (isNode(target) && !isAlias(target) && 'anchor' in target && target.anchor !== undefined)
    return placesOf(document, target).reduce<Json>(
      (all, path) => applyChange(all, { ...change, path } as Change),
      value,
    );
  return placesOf(document, holder).reduce<Json>((all, path) => {
    const place = change.op === 'set' || change.op === 'unset' ? [...path, key ?? ''] : path;
    return applyChange(all, { ...change, path: change.path.length === 0 ? [] : place } as Change);
  }, value);
}

function childOf(node: unknown, part: Part): unknown {
  return isSeq(node)
    ? typeof part === 'number'
      ? node.items[part]
      : null
    : pairOf(node, String(part))?.value;
}

function nodeAt(document: Document, path: ValuePath): unknown {
  const real = (node: unknown) => (isAlias(node) ? (node as Alias).resolve(document) : node);
  return path.reduce<unknown>((node, part) => real(childOf(node, part)), real(document.contents));
}

/** Where two values differ, deepest first. */
function differences(one: Json | undefined, other: Json | undefined, path: Part[]): string[] {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((item, index) => differences(item, other[index], [...path, index]));
  if (isMap(one) && isMap(other))
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
      differences(ownValue(one, key), ownValue(other, key), [...path, key]),
    );
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [shown(path)];
}

const others = (single: Json, everywhere: Json): string[] => differences(single, everywhere, []);

/** Anchors and aliases: one node that produces several places of the value. */
export const sharing = { hasAliases, applied, others };

import type { Json } from '@contract/ids';
import { ownValue, setOwnValue } from '@contract/own';
import type { ValuePath } from './edit';

/**
 * Edits are broken down into small changes of single places, in order. The pure function and the text writer
 * both apply these changes, which keeps the two consistent.
 */
export type Change =
  /** Replaces a value, or adds a key to a map after the last existing key of `after`. */
  | {
      readonly op: 'set';
      readonly path: ValuePath;
      readonly value: Json;
      readonly after?: readonly string[];
      /** Write a new value on one line: `{ x: 1, y: 2 }`. */
      readonly line?: boolean;
    }
  | { readonly op: 'unset'; readonly path: ValuePath }
  /** The path of an existing list. */
  | { readonly op: 'insert'; readonly path: ValuePath; readonly at: number; readonly value: Json }
  | { readonly op: 'remove'; readonly path: ValuePath; readonly at: number }
  | { readonly op: 'move'; readonly path: ValuePath; readonly at: number; readonly to: number };

export type JsonMap = { [key: string]: Json };

export const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path; undefined if there is none. */
export function valueAt(document: Json | undefined, path: ValuePath): Json | undefined {
  let value = document;
  for (const part of path) {
    if (Array.isArray(value)) value = typeof part === 'number' ? value[part] : undefined;
    else value = isMap(value) ? ownValue(value, String(part)) : undefined;
  }
  return value;
}

/** The document after a change. Unchanged parts are shared with the document before it. */
export function applyChange(document: Json, change: Change): Json {
  if (change.op === 'set' || change.op === 'unset') {
    const last = change.path.at(-1);
    if (last === undefined) return change.op === 'set' ? change.value : null;
    return within(document, change.path.slice(0, -1), (holder) => keyed(holder, last, change));
  }
  return within(document, change.path, (list) => listed(Array.isArray(list) ? list : [], change));
}

function within(value: Json, path: ValuePath, change: (inner: Json) => Json): Json {
  const [part, ...rest] = path;
  if (part === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((one, index) => (index === part ? within(one, rest, change) : one));
  if (!isMap(value)) return value;
  const copy = { ...value };
  setOwnValue(copy, String(part), within(ownValue(value, String(part)) ?? null, rest, change));
  return copy;
}

function keyed(holder: Json, key: string | number, change: Change & { op: 'set' | 'unset' }): Json {
  if (Array.isArray(holder))
    return change.op === 'set' ? holder.map((one, index) => (index === key ? change.value : one)) : holder;
  const copy = isMap(holder) ? { ...holder } : {};
  if (change.op === 'set') setOwnValue(copy, String(key), change.value);
  else delete copy[String(key)];
  return copy;
}

function listed(list: readonly Json[], change: Change & { op: 'insert' | 'remove' | 'move' }): Json[] {
  const copy = [...list];
  if (change.op === 'insert') copy.splice(change.at, 0, change.value);
  else {
    const taken = copy.splice(change.at, 1);
    if (change.op === 'move') copy.splice(change.to, 0, ...taken);
  }
  return copy;
}

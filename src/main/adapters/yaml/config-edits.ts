import type { ConfigEdit } from '@areas/workflows/contract/migration';
import type { Json } from '@contract/ids';
import { ownValue, setOwnValue } from '@contract/own';

/** A copy without sharing: two aliases of the same anchor become two values. */
export function unshared<T>(value: T): T {
  if (Array.isArray(value)) return value.map(unshared) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, unshared(part)])) as T;
}

/** The configuration after the edits, to which the rewritten file must parse. */
export function applyEdits(config: Readonly<Record<string, Json>>, edits: readonly ConfigEdit[]): Json {
  const result = unshared(config) as Record<string, Json>;
  for (const edit of edits) {
    if (edit.kind === 'set') setOwnValue(result, edit.key, unshared(edit.value));
    else if (edit.kind === 'drop') delete result[edit.key];
    else append(result, edit.path, edit.values);
  }
  return result;
}

function append(root: Json, path: readonly (string | number)[], values: readonly string[]): void {
  let holder: Json = root;
  for (const part of path.slice(0, -1))
    holder = ownValue(holder as Record<string, Json>, String(part)) ?? null;
  const last = String(path.at(-1));
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return;
  const list = ownValue(holder, last);
  setOwnValue(holder, last, [...(Array.isArray(list) ? list : []), ...values]);
}

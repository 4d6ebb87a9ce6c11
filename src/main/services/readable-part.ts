import type { z } from 'zod';

/**
 * A value without the parts that a schema rejects, so that the rest can be checked at once. Null if the rest
 * would mean something else: removing a list entry shifts the others, and removing an input makes references
 * to it look wrong.
 */
export function readablePart<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | null {
  const rest: unknown = structuredClone(value);
  // If the removed part was required, its parent is removed in the next round.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const read = schema.safeParse(rest);
    if (read.success) return read.data;
    for (const path of read.error.issues.flatMap(pathsOf)) if (!leaveOut(rest, path)) return null;
  }
  return null;
}

/** The nesting depth of required parts in the schemas. */
const MOST_ROUNDS = 5;

const pathsOf = (issue: z.core.$ZodIssue): PropertyKey[][] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

/** Removes the value at a path, or its nearest existing parent; false if that would change the meaning. */
function leaveOut(value: unknown, path: readonly PropertyKey[]): boolean {
  const last = path.at(-1);
  if (typeof last !== 'string' || (path[0] === 'inputs' && path.length <= 2)) return false;
  let holder = value;
  for (const part of path.slice(0, -1)) {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, part)) return true;
    holder = Reflect.get(holder, part);
  }
  if (typeof holder !== 'object' || holder === null) return true;
  return Object.hasOwn(holder, last)
    ? Reflect.deleteProperty(holder, last)
    : leaveOut(value, path.slice(0, -1));
}

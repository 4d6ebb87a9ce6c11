import type { z } from 'zod';

/**
 * The rest of a value that a schema refuses, so that everything else in it can be checked at once. Null where the rest
 * would mean something else: without an entry of a list the others have other places, and without an input the
 * references to it look wrong.
 */
export function readablePart<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | null {
  const rest: unknown = structuredClone(value);
  // What is left out may have been needed by what it is in, which is left out then.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const read = schema.safeParse(rest);
    if (read.success) return read.data;
    for (const path of read.error.issues.flatMap(pathsOf)) if (!leaveOut(rest, path)) return null;
  }
  return null;
}

/** As deep as what a schema needs is in each other. */
const MOST_ROUNDS = 5;

const pathsOf = (issue: z.core.$ZodIssue): PropertyKey[][] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

/** Takes away what is at a path, or where nothing is there, what it is in; false where that matters. */
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

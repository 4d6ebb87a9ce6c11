import type { Json } from '@contract/ids';
import type { z } from 'zod';

/**
 * Reads a step's configuration. Runs that began with a wider bound keep working: a number that is too large
 * now counts as the current maximum.
 */
export function readConfig<S extends z.ZodType>(
  schema: S,
  config: Readonly<Record<string, Json>>,
  begun: boolean,
): z.ZodSafeParseResult<z.output<S>> {
  const parsed = schema.safeParse(config);
  if (parsed.success || !begun) return parsed;
  const lowered: Json = JSON.parse(JSON.stringify(config));
  for (const issue of parsed.error.issues)
    if (issue.code === 'too_big' && issue.origin === 'number')
      lower(lowered, issue.path, Number(issue.maximum));
  return schema.safeParse(lowered);
}

function lower(config: Json, path: readonly PropertyKey[], most: number): void {
  let holder: Json | undefined = config;
  const last = path.at(-1);
  for (const part of path.slice(0, -1)) holder = entries(holder).get(String(part));
  if (last === undefined || !entries(holder).has(String(last))) return;
  Object.assign(holder as object, { [last]: most });
}

const entries = (value: Json | undefined): Map<string, Json> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);

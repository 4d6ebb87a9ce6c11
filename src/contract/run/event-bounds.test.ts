import { expect, test } from 'vitest';
import { z } from 'zod';
import { procedures } from '../ipc';
import { storedEventSchema } from './events';

const EXACT = Number.MAX_SAFE_INTEGER;

/** Paths of the numbers that a schema accepts without a bound. Free JSON of agents and workflows has none. */
function unbounded(schema: z.ZodType): string[] {
  const found: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (value === null || typeof value !== 'object') return;
    if (!Array.isArray(value) && !('const' in value)) {
      const { type, maximum, minimum, exclusiveMinimum } = value as Record<string, unknown>;
      const least = Math.max(Number(minimum ?? -Infinity), Number(exclusiveMinimum ?? -Infinity));
      if ((type === 'number' || type === 'integer') && !(Number(maximum) < EXACT && least > -EXACT))
        found.push(path);
    }
    for (const [key, part] of Object.entries(value)) walk(part, `${path}.${key}`);
  };
  const { $defs, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  });
  const isJson = (part: unknown): boolean =>
    JSON.stringify(part).includes('"propertyNames"') && 'anyOf' in Object(part);
  walk({ ...rest, $defs: Object.values($defs ?? {}).filter((part) => !isJson(part)) }, '');
  return found;
}

test('every number in a stored event has bounds', () => {
  expect(unbounded(storedEventSchema)).toEqual([]);
});

test('every number that a call takes has bounds', () => {
  const open = Object.entries(procedures).flatMap(([name, { input }]) =>
    unbounded(input).map((path) => `${name}${path}`),
  );
  expect(open).toEqual([]);
});

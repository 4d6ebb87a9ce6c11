import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventKinds } from './run/events';
import { checkOf } from './schema-check';

const folder = join(import.meta.dirname, '../main/core/engine/__histories__');
const checks = new Map<string, { schema: z.ZodType; accepts: (value: unknown) => boolean }>(
  eventKinds.map(({ type, schema }) => [type, { schema, accepts: checkOf(schema) }]),
);

/** One event of each type and shape in the recorded histories. */
const events = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n').slice(1))
  .map((line) => JSON.parse(line).event as { type: string });

test('every event of the recorded histories is accepted without asking its schema', () => {
  expect(events.length).toBeGreaterThan(100);
  const asked = events.filter((event) => checks.get(event.type)?.accepts(event) !== true);
  expect(asked).toEqual([]);
});

const WRONG = [
  Number.NaN,
  1.5,
  -1,
  1e300,
  Infinity,
  '',
  'constructor',
  null,
  undefined,
  [],
  {},
  true,
  [undefined],
];

/** Replaces one value anywhere in the event. */
function spoilt(value: unknown, at: number, by: unknown): unknown {
  let left = at;
  const walk = (one: unknown): unknown => {
    left -= 1;
    if (left === 0) return by;
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, walk(inner)]));
  };
  return walk(value);
}

test('what the fast check accepts its schema accepts too, whatever value stands wherever in an event', () => {
  const at = fc.integer({ min: 1, max: 40 });
  const property = fc.property(
    fc.constantFrom(...events),
    at,
    fc.constantFrom(...WRONG),
    (event, place, wrong) => {
      const { schema, accepts } = checks.get(event.type) ?? { schema: z.never(), accepts: () => false };
      const broken = spoilt(event, place, wrong);
      if (accepts(broken)) expect(schema.safeParse(broken).success).toBe(true);
    },
  );
  fc.assert(property, { numRuns: 3_000 });
});

const ITEM = z.strictObject({ name: z.string().min(1).max(3), size: z.number().min(0).max(5).default(1) });
const LIST = z.array(ITEM).min(1).max(2);

/** The schema, made so that to ask it is an error. */
function neverAsked(schema: z.ZodType): z.ZodType {
  schema._zod.run = () => {
    throw new Error('the schema was asked');
  };
  return schema;
}

test.each([
  [[{ name: 'abc' }], true],
  [
    [
      { name: 'abc', size: 5 },
      { name: 'a', size: 0.5 },
    ],
    true,
  ],
  [[], false],
  [[{ name: 'a' }, { name: 'b' }, { name: 'c' }], false],
  [[{ name: '' }], false],
  [[{ name: 'abcd' }], false],
  [[{ name: 'a', size: 5.1 }], false],
  [[{ name: 'a', size: -1 }], false],
  [[{ name: 'a', other: 1 }], false],
  [[Object.create({ other: 1 }, { name: { value: 'a', enumerable: true } })], false],
  [[JSON.parse('{ "name": "a", "__proto__": 1 }')], false],
])(
  'the fast check of %j in a list of strict objects with bounds and defaults gives %s',
  (value, accepted) => {
    expect(LIST.safeParse(value).success).toBe(accepted);
    expect(checkOf(neverAsked(z.array(ITEM).min(1).max(2)))(value)).toBe(accepted);
  },
);

test('the fast check of bounds that exclude their value gives the same result as the schema', () => {
  const check = checkOf(neverAsked(z.number().gt(0).lt(2)));
  expect([0, 1, 2].map(check)).toEqual([false, true, false]);
});

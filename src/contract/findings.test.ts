import { expect, test } from 'vitest';
import { z } from 'zod';
import { findingsOf, firstFinding } from './findings';

const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), runId: z.number() }),
  z.object({ kind: z.literal('turn') }),
]);
const schema = z.strictObject({ of: z.array(kinds), name: z.string().optional() });
const said = (value: unknown) => {
  const { error } = schema.safeParse(value);
  return error && { all: findingsOf(error), first: firstFinding(error) };
};

test('a value of an unknown kind is told with its place and the kinds that are known', () => {
  expect(said({ of: [{ kind: 'rnu' }] })).toEqual({
    all: [{ path: 'of[0].kind', message: 'expected "run" or "turn"', unknownKey: null }],
    first: 'of[0].kind: expected "run" or "turn"',
  });
});

test('the first finding names an unknown key, and has no path where the whole value is wrong', () => {
  expect(said({ of: [], nam: 'x' })?.first).toBe('nam: the key "nam" is not known here');
  expect(said(null)?.first).toBe('Invalid input: expected object, received null');
});

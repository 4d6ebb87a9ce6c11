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

test('a value of an unknown kind is refused with its place and the known kinds', () => {
  expect(said({ of: [{ kind: 'rnu' }] })).toEqual({
    all: [{ path: 'of[0].kind', message: 'expected "run" or "turn"', unknownKey: null }],
    first: 'of[0].kind: expected "run" or "turn"',
  });
});

test('the first finding names an unknown key, and has no path where the whole value is wrong', () => {
  expect(said({ of: [], nam: 'x' })?.first).toBe('nam: the key "nam" is not known here');
  expect(said(null)?.first).toBe('expected an object, not null');
});

test.each([
  [z.number(), 'x', 'expected a number, not a text'],
  [z.strictObject({ a: z.string() }), {}, 'a: is missing; expected a text'],
  [z.int(), 1.5, 'expected a whole number, not a number'],
  [z.boolean(), [], 'expected true or false, not a list'],
  [z.enum(['a', 'b']), 'c', 'expected "a" or "b"'],
  [z.number().min(1), 0, 'expected at least 1'],
  [z.number().positive(), 0, 'expected more than 0'],
  [z.number().max(9), 10, 'expected at most 9'],
  [z.string().min(1), '', 'expected at least 1 character'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'expected at most 2 entries'],
  [z.string().min(1, 'write a script'), '', 'write a script'],
])('a violation of a schema is described in words', (expected, value, words) => {
  const { error } = expected.safeParse(value);
  expect(error && firstFinding(error)).toBe(words);
});

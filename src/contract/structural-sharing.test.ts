import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareStructure } from './structural-sharing';

const plain = fc.jsonValue({ maxDepth: 4 });

test('The result always says the same as the new value, and neither value is changed.', () => {
  fc.assert(
    fc.property(plain, plain, (last, next) => {
      const [before, after] = [structuredClone(last), structuredClone(next)];
      expect(shareStructure(last, next)).toEqual(after);
      expect(last).toEqual(before);
      expect(next).toEqual(after);
    }),
  );
});

test('A value with the same content is the earlier object.', () => {
  fc.assert(
    fc.property(plain, (value) => {
      expect(Object.is(shareStructure(value, structuredClone(value)), value)).toBe(true);
    }),
  );
});

test('Only the changed parts of a value are other objects.', () => {
  const last = {
    steps: [
      { id: 'a', config: { x: 1 } },
      { id: 'b', config: { x: 2 } },
    ],
    cables: [{ from: 'a' }],
  };
  const next = structuredClone(last);
  next.steps[1] = { id: 'b', config: { x: 3 } };
  const made = shareStructure(last, next);
  expect(made.steps[0]).toBe(last.steps[0]);
  expect(made.cables).toBe(last.cables);
  expect(made.steps[1]).not.toBe(last.steps[1]);
  expect(made).toEqual(next);
});

test('The entries around an inserted and around a removed one stay the same objects.', () => {
  const last = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  const longer = shareStructure(last, [{ id: 'a' }, { id: 'new' }, { id: 'b' }, { id: 'c' }]);
  expect(longer.map((one) => last.indexOf(one))).toEqual([0, -1, 1, 2]);
  const shorter = shareStructure(last, [{ id: 'a' }, { id: 'c' }]);
  expect(shorter.map((one) => last.indexOf(one))).toEqual([0, 2]);
});

test('Keys in another order are another value.', () => {
  const last = { a: 1, b: 2 };
  const made = shareStructure(last, { b: 2, a: 1 });
  expect(Object.keys(made)).toEqual(['b', 'a']);
  expect(made).not.toBe(last);
});

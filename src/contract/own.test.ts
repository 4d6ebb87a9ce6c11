import { expect, test } from 'vitest';
import { ownValue, setOwnValue } from './own';

const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

test.each(INHERITED)('own finds nothing under %s in a record that does not have it', (name) => {
  expect(ownValue({ a: 1 }, name)).toBeUndefined();
  expect(ownValue(undefined, name)).toBeUndefined();
});

test.each(INHERITED)('setOwn keeps an entry under %s and leaves the prototype alone', (name) => {
  const record: Record<string, number> = {};
  setOwnValue(record, name, 1);
  expect(ownValue(record, name)).toBe(1);
  expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  expect(Object.keys(record)).toEqual([name]);
});

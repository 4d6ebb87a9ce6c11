import { expect, test } from 'vitest';
import { own, setOwn } from './own';

const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

test.each(INHERITED)('own finds nothing under %s in a record that does not have it', (name) => {
  expect(own({ a: 1 }, name)).toBeUndefined();
  expect(own(undefined, name)).toBeUndefined();
});

test.each(INHERITED)('setOwn keeps an entry under %s and leaves the prototype alone', (name) => {
  const record: Record<string, number> = {};
  setOwn(record, name, 1);
  expect(own(record, name)).toBe(1);
  expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  expect(Object.keys(record)).toEqual([name]);
});

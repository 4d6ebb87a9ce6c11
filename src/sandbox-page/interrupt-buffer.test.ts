import { expect, test } from 'vitest';
import { interruptBuffer } from './interrupt-buffer';

const INTERRUPT = 2;

/** What Pyodide does at each of its checks; `between` runs after the read and before the clear. */
function check(buffer: Uint8Array, between: () => void = () => undefined): number | undefined {
  const found = buffer[0];
  between();
  buffer[0] = 0;
  return found;
}

test('an interrupt that arrives between the read and the clear of a check is seen by the next check', () => {
  const shared = new SharedArrayBuffer(4);
  const page = new Uint8Array(shared);
  const python = interruptBuffer(shared);
  const interrupt = () => {
    page[0] = INTERRUPT;
  };
  expect(check(python, interrupt)).toBe(0);
  expect(check(python)).toBe(INTERRUPT);
  expect(check(python)).toBe(0);
});

test('an interrupt is seen once', () => {
  const shared = new SharedArrayBuffer(4);
  const python = interruptBuffer(shared);
  new Uint8Array(shared)[0] = INTERRUPT;
  expect([check(python), check(python)]).toEqual([INTERRUPT, 0]);
});

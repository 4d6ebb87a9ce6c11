import { expect, test } from 'vitest';
import { keysNamed, lineTyped } from './keys';

test('keys named by a person are sent as a terminal sends them, and anything else as it is', () => {
  expect(keysNamed('down Down ENTER')).toBe('\x1b[B\x1b[B\r');
  expect(keysNamed('2')).toBe('2');
  expect(keysNamed(' esc ')).toBe('\x1b');
  expect(keysNamed('constructor')).toBe('constructor');
  expect(keysNamed('y\x03 \x1b[A')).toBe('y[A');
});

test('a typed answer is one line, whatever control characters it holds', () => {
  expect(lineTyped('yes\n\x1b[A do it \x03')).toBe('yes [A do it\r');
});

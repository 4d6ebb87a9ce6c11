import { expect, test } from 'vitest';
import { ownKey } from './keys';

const none = { ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };
const pressed = (code: string, with_: Partial<typeof none>) => ({
  code,
  key: code.slice(-1).toLowerCase(),
  ...none,
  ...with_,
});
const leaves = () => false;
const linux = { mac: false, full: false, leaves };

test('keys without Shift go to the program, except the one that searches', () => {
  expect(ownKey(pressed('KeyC', { ctrlKey: true }), linux)).toBe(null);
  expect(ownKey(pressed('KeyF', { ctrlKey: true }), linux)).toBe('find');
  expect(ownKey(pressed('KeyF', { ctrlKey: true }), { ...linux, full: true })).toBe(null);
  expect(ownKey(pressed('KeyF', { ctrlKey: true, shiftKey: true }), { ...linux, full: true })).toBe('find');
});

test("keys with Shift are the terminal's, on any layout", () => {
  const own = ['KeyC', 'KeyV', 'KeyL', 'ArrowUp', 'Equal', 'Digit0', 'KeyQ'];
  expect(own.map((code) => ownKey(pressed(code, { ctrlKey: true, shiftKey: true }), linux))).toEqual([
    ...['copy', 'paste', 'links', 'previous', 'larger', 'usual', null],
  ]);
  expect(ownKey(pressed('KeyC', { metaKey: true }), { ...linux, mac: true })).toBe('copy');
  expect(ownKey(pressed('KeyC', { ctrlKey: true, shiftKey: true, altKey: true }), linux)).toBe(null);
});

test('the chord that leaves the terminal is the one that the operator has chosen', () => {
  const chosen = { ...linux, leaves: ({ code }: { code: string }) => code === 'KeyX' };
  expect(ownKey(pressed('KeyX', { ctrlKey: true, shiftKey: true }), chosen)).toBe('leave');
  expect(ownKey(pressed('Escape', { ctrlKey: true, shiftKey: true }), chosen)).toBe(null);
});

import { beforeEach, expect, test } from 'vitest';
import { StrayKeys } from './stray-keys';

interface Field {
  gone: boolean;
}

const body = null;
let keys: StrayKeys<Field>;
let time = 0;

beforeEach(() => {
  keys = new StrayKeys<Field>({ isGone: (field) => field.gone });
});

function press(key: string, field: Field | null, { after = 100, ctrlKey = false } = {}): boolean {
  time += after;
  return keys.isStray({ key, ctrlKey, metaKey: false, altKey: false, timeStamp: time }, field);
}

test('a key that is still typed where the field has just gone is no command', () => {
  const field = { gone: false };
  expect(press('b', field)).toBe(false);
  field.gone = true;
  expect(press('a', body)).toBe(true);
  expect(press(' ', body)).toBe(true);
  expect(press('r', body)).toBe(true);
});

test('a key that takes letters away counts as writing', () => {
  for (const key of ['Backspace', 'Delete']) {
    const field = { gone: false };
    press(key, field);
    field.gone = true;
    expect(press('a', body)).toBe(true);
  }
});

test('a key after a pause, or of another kind, is a command again', () => {
  const field = { gone: false };
  press('b', field);
  field.gone = true;
  expect(press('a', body)).toBe(true);
  expect(press('a', body, { after: 1500 })).toBe(false);
  press('b', { gone: true });
  expect(press('Tab', body)).toBe(false);
  expect(press('a', body)).toBe(false);
});

test('a key that follows one that sent or closed the field is let through', () => {
  for (const [key, ctrl] of [
    ['Enter', true],
    ['Escape', false],
  ] as const) {
    const field = { gone: false };
    press('b', field);
    press(key, field, { ctrlKey: ctrl });
    field.gone = true;
    expect(press('a', body)).toBe(false);
  }
});

test('a key beside a field that is still there is let through', () => {
  press('b', { gone: false });
  expect(press('a', body)).toBe(false);
});

test('a field is forgotten once the mouse was used', () => {
  const field = { gone: false };
  press('b', field);
  field.gone = true;
  keys.forget();
  expect(press('a', body)).toBe(false);
});

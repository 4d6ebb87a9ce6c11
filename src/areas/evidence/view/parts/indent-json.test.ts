import { expect, test } from 'vitest';
import { indentJson } from './indent-json';

test('Numbers keep their digits when JSON is indented', () => {
  expect(indentJson('{"n":12345678901234567890,"list":[1.50,{"m":-0}]}')).toBe(
    '{\n  "n": 12345678901234567890,\n  "list": [\n    1.50,\n    {\n      "m": -0\n    }\n  ]\n}',
  );
});

test.each(['no JSON', '', '{"a":'])('The text %j stays as it is', (text) => {
  expect(indentJson(text)).toBe(text);
});

test('Indented JSON is laid out as JSON.stringify does it', () => {
  const value = {
    a: [],
    b: {},
    c: ['x, y: {[', 'quote " and \\\\', null, true],
    d: { e: [[1, 2], [{}]] },
    f: -1.5e9,
  };
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
});

test('A thousand levels are indented', () => {
  const deep = '['.repeat(1_000) + ']'.repeat(1_000);
  expect(indentJson(deep).replace(/\s/g, '')).toBe(deep);
});

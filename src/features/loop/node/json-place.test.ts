import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonSteps, lineOfJson } from './json-place';

const text = `{
  "project": "a, \\"b\\": [1]",
  "userStories": [
    { "id": "US-001",
      "title": "One" },
    {
      "id": "US-002",
      "priority": 2
    }
  ]
}`;

test.each([
  ['', 1],
  ['project', 2],
  ['userStories', 3],
  ['userStories[0].title', 5],
  ['userStories[1]', 6],
  ['userStories[1].id', 7],
  // A missing part has its parent's place.
  ['userStories[1].title', 6],
  ['userStories[7].title', 3],
  ['nothing.at[0].all', 1],
])('the line of %s is found in JSON', (path, line) => {
  expect(lineOfJson(text, jsonSteps(path))).toBe(line);
});

test('each value of any JSON is found at its line', () => {
  const json = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 });
  fc.assert(
    fc.property(json, (value) => {
      const written = JSON.stringify(value, null, 2);
      const lines = written.split('\n');
      for (const [key, inner] of Object.entries(value)) {
        // A key with an escape is looked up as written.
        const raw = JSON.stringify(key).slice(1, -1);
        const line = lines[lineOfJson(written, [raw]) - 1] ?? '';
        expect(line.startsWith(`  "${raw}": ${JSON.stringify(inner, null, 2).split('\n')[0]}`)).toBe(true);
      }
    }),
  );
});

test('any path in any text leads to some line', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.oneof(fc.string(), fc.nat(5)), { maxLength: 4 }), (any, path) => {
      const line = lineOfJson(any, path);
      expect(line).toBeGreaterThanOrEqual(1);
      expect(line).toBeLessThanOrEqual(any.split('\n').length);
    }),
  );
});

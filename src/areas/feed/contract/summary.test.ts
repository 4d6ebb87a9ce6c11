import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainLine } from './plain-line';
import { splitFences, summaryLines } from './summary';

test.each([
  ['\nOne.\n\n═════\nTwo.\nThree.\nFour.', ['One.', 'Two.', 'Three.']],
  ['📄 **Notes**\n\n# Lighthouse `0.4`\n- [x] A whole year', ['📄 Notes', 'A whole year']],
  ['## Summary\n\nThe limit holds.\n', ['The limit holds.']],
  ['**Summary**\n\nThe limit holds.', ['The limit holds.']],
  ['**The limit**\nholds.', ['The limit', 'holds.']],
  ['Summary\n=======\nThe limit holds.', ['The limit holds.']],
  ['Result: completed\n\nThe limit holds.', ['The limit holds.']],
  ['**Result:** completed\n**Story:** US-001\nThe limit holds.', ['The limit holds.']],
  ['Looking at it again:\n\n- It holds.\n- It is short.', ['It holds.', 'It is short.']],
  ['First draft of dr-brac:\nOnce upon a time', ['Once upon a time']],
  ['## The story is **done**.\n\n- `prd.json` says so', ['The story is done.', 'prd.json says so']],
  ['## Result: completed.\n\nIt holds.', ['It holds.']],
  ['## Done', ['Done']],
  ['Result: completed', ['Result: completed']],
  ['Looking at it again:', ['Looking at it again:']],
  ['Looking at it again:\n```\ncode\n```', ['Looking at it again:']],
  ['The result: it holds.\nSo be it.', ['The result: it holds.', 'So be it.']],
  ['```ts\ncode\n```\nSaid.', ['Said.']],
  ['```\nA fence without an end', ['A fence without an end']],
  ['~~~~\nonly\n~~~\ncode\n~~~~\n', ['only', 'code']],
  ['  \n', []],
  ['---\n👍\n', ['---']],
  ['👍', ['👍']],
])('the message %j is summed up in its plain lines', (message, lines) => {
  expect(summaryLines(message)).toEqual(lines);
});

test('a summary cuts a line to 200 characters', () => {
  expect(summaryLines('x'.repeat(201))).toEqual([`${'x'.repeat(199)}…`]);
});

const piece = fc.constantFrom(
  '```',
  '````',
  '~~~',
  '```js',
  '# a',
  '- b',
  '**c**',
  '',
  ' ',
  '\u2028',
  '[x](y)',
  '…',
);
const message = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.array(piece, { maxLength: 30 }).map((lines) => lines.join('\n')),
);

test('a summary of any message has at most three lines, each of one line, short, plain already', () => {
  fc.assert(
    fc.property(message, (text) => {
      const lines = summaryLines(text);
      expect(lines.length).toBeLessThanOrEqual(3);
      for (const line of lines) {
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(line.length).toBeLessThanOrEqual(200);
        expect(line.trim()).not.toBe('');
      }
      const said = splitFences(text).outside.some((line) => /[\p{L}\p{N}]/u.test(plainLine(line)));
      if (said) expect(lines).not.toEqual([]);
      expect(summaryLines(lines.join('\n')).length).toBeLessThanOrEqual(lines.length);
    }),
  );
});

test('a summary loses no line but those of the fences', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (lines) => {
      const { outside, inside } = splitFences(lines.join('\n'));
      const told = (all: readonly string[]) => all.filter((line) => !/^(?:`{3,}|~{3,})/.test(line)).sort();
      const all = lines.length === 0 ? [''] : lines;
      expect(told([...outside, ...inside])).toEqual(told(all));
    }),
  );
});

test('a summary of nothing but fences reads them once', () => {
  const text = Array.from({ length: 200_000 }, () => '```js').join('\n');
  expect(splitFences(`${text}\nEnd.`)).toEqual({ outside: ['End.'], inside: [] });
});

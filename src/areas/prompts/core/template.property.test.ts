import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PromptSchema } from '../contract/schema';
import { renderPrompt } from './render';
import { parseTemplate } from './template';

const schema = {
  id: 'team/any',
  title: '',
  purpose: '',
  file: 'any.md',
  requiredFile: true,
  placeholders: [
    { name: 'one', required: true, says: '' },
    { name: 'two', required: false, says: '' },
  ],
  keyPhrases: [],
  maxLength: 100,
} as const satisfies PromptSchema;

/** Texts full of sequences that a careless replacement would misinterpret. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '{one}',
        '{two}',
        '{{',
        '}}',
        '{',
        '}',
        '$&',
        '$1',
        '$$',
        "$'",
        '$`',
        '\\',
        '%s',
        '\r\n',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** A template whose result is this text. */
const escaped = (text: string): string => text.replaceAll('{', () => '{{').replaceAll('}', () => '}}');

test('parsing loses no letter: the pieces one after the other are the text, and each has its position', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const pieces = parseTemplate(text);
      expect(pieces.map(({ raw }) => raw).join('')).toBe(text);
      let before = '';
      for (const { raw, line, column } of pieces) {
        const lines = before.split('\n');
        expect([line, column]).toEqual([lines.length, (lines.at(-1) ?? '').length + 1]);
        before += raw;
      }
    }),
  );
});

test('an escaped text stands for itself', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      expect(renderPrompt(schema, escaped(text), { one: 'x' })).toBe(text);
    }),
  );
});

test('values are inserted as they are and never expanded again', () => {
  fc.assert(
    fc.property(nasty, nasty, fc.array(nasty, { minLength: 3, maxLength: 3 }), (one, two, [a, b, c]) => {
      const text = `${escaped(a ?? '')}{one}${escaped(b ?? '')}{two}{one}${escaped(c ?? '')}`;
      expect(renderPrompt(schema, text, { one, two })).toBe(`${a}${one}${b}${two}${one}${c}`);
    }),
  );
});

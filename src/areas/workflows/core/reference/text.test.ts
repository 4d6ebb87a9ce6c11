import { ok } from '@contract/result';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonItems, jsonObject } from './json-text';
import { written } from './reference';
import { expandText, literalText, piecesOf } from './text';

const REFERENCES = ['$a.output', '$a.output.field', '$INPUTS.name', '$ARGUMENTS', '$REJECTION_REASON'];
/** Sequences that are special to shells, YAML, terminals and templates. */
const HOSTILE = [
  ...[
    '$ARGUMENTS',
    '$a.output',
    '\\$a.output',
    '$(rm -rf /)',
    '`id`',
    '$$',
    '$&',
    "$'",
    '$1',
    '\\',
    '"',
    "'",
  ],
  ...[
    '\u001b[31m',
    '\u0007',
    '\r\n',
    '\t',
    '- a: &x [*x]',
    '---',
    '{{x}}',
    '\u202e',
    '\u{1F469}\u200d\u{1F680}',
    'é',
  ],
];
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary' })), { maxLength: 8 })
  .map((parts) => parts.join(''));
/** An author's text between references, without characters that would begin one. */
const plain = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[$\\A-Za-z0-9_.]/g, ' '));

test('any text survives a prompt unchanged, whatever stands around it, and is never scanned', () => {
  const part = fc.oneof(
    plain.map((text) => ({ text, reference: null })),
    fc.constantFrom(...REFERENCES).map((reference) => ({ text: ' ', reference })),
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 8 }),
      fc.array(anyText, { minLength: 5, maxLength: 5 }),
      (parts, values) => {
        const textOf = (reference: string) => values[REFERENCES.indexOf(reference)] ?? '';
        const template = parts.map(({ text, reference }) => `${text}${reference ?? ''}`).join(' ');
        const wanted = parts
          .map(({ text, reference }) => `${text}${reference === null ? '' : textOf(reference)}`)
          .join(' ');
        const made = expandText(piecesOf(template), ({ reference }) => ok(textOf(written(reference))));
        expect(made).toEqual(ok(wanted));
      },
    ),
  );
});

test('a text that the operator typed is taken as it is, references and backslashes included', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const made = expandText(piecesOf(literalText(text)), () => ok('expanded'));
      expect(made).toEqual(ok(text));
    }),
  );
});

test('JSON that follows prose in a fenced block is read, with the digits of its numbers', () => {
  const answer = 'Here it is:\n\n```json\n{"id": 9007199254740993, "ok": true}\n```\n';
  expect(jsonObject(answer)?.field('id')).toEqual({ type: 'number', text: '9007199254740993' });
  expect(jsonItems('The list:\n```\n[1.0, "a"]\n```')).toEqual(['1.0', 'a']);
  expect(jsonObject('```json\n{"id": 1}\n```\nThat was it.')).toBeNull();
});

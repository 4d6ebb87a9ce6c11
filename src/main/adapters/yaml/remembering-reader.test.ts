import { expect, test } from 'vitest';
import type { ParsedDocument } from '../../core/ports/documents';
import { yamlReader } from './document';
import { rememberingReader } from './remembering-reader';

function counting() {
  const parsed: string[] = [];
  const reader = rememberingReader({
    parse(text, file): ParsedDocument {
      parsed.push(file);
      return yamlReader.parse(text, file);
    },
  });
  return { parsed, reader };
}

test('A text is parsed once, and again when it has changed.', () => {
  const { parsed, reader } = counting();
  const first = reader.parse('name: a', 'a.yaml');
  expect(reader.parse('name: a', 'a.yaml')).toBe(first);
  expect(reader.parse('name: b', 'a.yaml').value).toEqual({ name: 'b' });
  expect(reader.parse('name: a', 'a.yaml').value).toEqual({ name: 'a' });
  expect(parsed).toEqual(['a.yaml', 'a.yaml', 'a.yaml']);
});

test('Equal texts of two files have their problems in their own file.', () => {
  const { reader } = counting();
  const fileOf = (file: string) => reader.parse('a: [', file).problems[0]?.where?.file;
  expect([fileOf('a.yaml'), fileOf('b.yaml'), fileOf('a.yaml')]).toEqual(['a.yaml', 'b.yaml', 'a.yaml']);
});

test('A parsed text is shared, so nothing in it can be changed.', () => {
  const { reader } = counting();
  const { value } = reader.parse('steps: [{ id: a }, [null, undefined]]', 'a.yaml');
  const { steps } = value as { steps: [{ id: string }, unknown[]] };
  expect(() => Array.prototype.push.call(steps, { id: 'b' })).toThrow(TypeError);
  expect(() => {
    steps[0].id = 'b';
  }).toThrow(TypeError);
  expect(Object.isFrozen(steps[1])).toBe(true);
});

test('The text that was read longest ago is forgotten when the texts grow large.', () => {
  const { parsed, reader } = counting();
  const long = (letter: string) => `text: ${letter.repeat(250_000)}`;
  reader.parse(long('a'), 'a.yaml');
  reader.parse(long('b'), 'b.yaml');
  reader.parse(long('a'), 'a.yaml');
  reader.parse(long('c'), 'c.yaml');
  reader.parse(long('a'), 'a.yaml');
  expect(parsed).toEqual(['a.yaml', 'b.yaml', 'c.yaml']);
  reader.parse(long('b'), 'b.yaml');
  expect(parsed).toEqual(['a.yaml', 'b.yaml', 'c.yaml', 'b.yaml']);
});

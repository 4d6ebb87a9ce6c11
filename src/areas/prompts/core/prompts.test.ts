import { describe, expect, test } from 'vitest';
import { type PromptSchema, promptSchemaSchema } from '../contract/schema';
import { promptSets } from '../contract/sets';
import { renderPrompt } from './render';
import { parseTemplate } from './template';
import { validatePrompt } from './validate';

const schema = {
  id: 'team/any',
  title: 'Any',
  purpose: '',
  file: 'any.md',
  requiredFile: true,
  placeholders: [
    { name: 'question', required: true, says: 'What is asked.' },
    { name: 'round', required: false, says: 'The round.' },
  ],
  keyPhrases: ['Do NOT stop', '{braces}'],
  maxLength: 60,
} as const satisfies PromptSchema;

const found = (text: string) =>
  validatePrompt(schema, text, 'any.md').map(
    ({ code, message, where }) =>
      `${where?.line}:${where?.column ?? ''} ${code.replace('validation.prompt_', '')} ${message}`,
  );

describe('parse', () => {
  test('a template is parsed into placeholders, escaped braces and text', () => {
    const kinds = parseTemplate('{{{question}}} {} {Round} {"a": 1}\n{').map(({ kind, raw, value }) => [
      kind,
      raw,
      value,
    ]);
    expect(kinds).toEqual([
      ['brace', '{{', '{'],
      ['placeholder', '{question}', 'question'],
      ['brace', '}}', '}'],
      ['text', ' ', ' '],
      ['wrong', '{}', ''],
      ['text', ' ', ' '],
      ['wrong', '{Round}', 'Round'],
      ['text', ' ', ' '],
      ['wrong', '{"a": 1}', '"a": 1'],
      ['text', '\n', '\n'],
      ['wrong', '{', null],
    ]);
  });
});

describe('validate', () => {
  test('a good text has no problems, whatever the breaks of its lines', () => {
    expect(found('{question} Do NOT\r\n  stop {{braces}} {round}')).toEqual([]);
  });

  test('the problems of a prompt are all found at once, each with its line', () => {
    expect(found('A text\nof {quest} and\n } {Round}\n'.padEnd(80, '.'))).toEqual([
      '2:4 placeholder there is no placeholder {quest}',
      '3:2 placeholder a } is unpaired',
      '3:4 placeholder {Round} is no placeholder',
      '4: placeholder the placeholder {question} is missing',
      '4: text the words “Do NOT stop” are missing',
      '4: text the words “{braces}” are missing',
      '4: text the text has 80 characters; at most 60 are allowed',
    ]);
  });

  test('each problem of a prompt says how to fix it', () => {
    const problems = validatePrompt(schema, 'x {y}', 'any.md');
    expect(problems.map(({ mend }) => mend)).toEqual([
      'the placeholders here are {question}, {round}; write a literal brace twice: {{ or }}',
      'add {question}: What is asked.',
      expect.stringContaining('exactly'),
      expect.stringContaining('exactly'),
    ]);
    expect(problems.every(({ where, severity }) => where?.file === 'any.md' && severity === 'error')).toBe(
      true,
    );
  });

  test('an empty prompt and control characters are problems', () => {
    expect(found(' \n\t')).toEqual(['1: text the text is empty']);
    expect(found('{question} Do NOT stop\n{{braces}}\u0000')).toEqual([
      '2:11 text the line contains a control character',
    ]);
  });

  test('a brace that a phrase needs is not taken from a placeholder', () => {
    const own = { ...schema, keyPhrases: ['{round}'] };
    expect(validatePrompt(own, '{question} {{round}}', 'f')).toEqual([]);
  });
});

describe('filling in a prompt', () => {
  test('a missing optional value is empty in the prompt', () => {
    expect(renderPrompt(schema, '{question}, round {round}.', { question: 'Why?' })).toBe('Why?, round .');
  });

  test('a missing required value, an unknown one and an invalid text are bugs', () => {
    const loose: PromptSchema = schema;
    expect(() => renderPrompt(loose, '{question}', {})).toThrow('team/any: no value for {question}');
    expect(() => renderPrompt(loose, 'x', { question: '', other: '' })).toThrow('no placeholder {other}');
    expect(() => renderPrompt(schema, '{Round}', { question: '' })).toThrow('was not validated');
  });
});

test('every schema is valid, and its id says where its file lies', () => {
  const ids = promptSets.flatMap((set) =>
    set.prompts.map((prompt) => {
      expect(promptSchemaSchema.parse(prompt)).toEqual(prompt);
      expect(`${prompt.id}.md`).toBe(`${set.id}/${prompt.file}`);
      const names = prompt.placeholders.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      return prompt.id;
    }),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

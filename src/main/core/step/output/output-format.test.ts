import type { Json } from '@contract/ids';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enforceable, type JsonSchema } from './format-keywords';
import { LinearPattern, patternFlaw } from './linear-pattern';
import { outputFormat } from './output-format';

const flawsOf = (schema: Json) => enforceable(schema as JsonSchema).flaws.map(({ path }) => path);
const read = (schema: Json, answer: string) => {
  expect(flawsOf(schema)).toEqual([]);
  return outputFormat(schema as JsonSchema).read(answer);
};
const isValid = (schema: Json, value: Json) => 'json' in read(schema, JSON.stringify(value));
const person = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1 }, age: { type: 'integer', minimum: 0 } },
  required: ['name'],
  additionalProperties: false,
};

test.each([
  [{}, ''],
  [{ description: 'anything' }, ''],
  [{ type: 'object', properties: { x: {} } }, 'properties.x'],
  [{ type: 'object', properties: { x: true } }, 'properties.x'],
  [{ type: 'text' }, 'type'],
  [{ type: 'string', patternProperties: { a: { type: 'string' } } }, 'patternProperties'],
  [{ allOf: [{ type: 'string' }] }, 'allOf'],
  [{ not: { type: 'string' } }, 'not'],
  [{ type: 'object', properties: {}, if: { type: 'object' } }, 'if'],
  [{ type: 'string', nullable: true }, 'nullable'],
  [{ type: 'string', minimum: 3 }, 'minimum'],
  [{ type: 'string', format: 'binary' }, 'format'],
  [{ type: 'string', pattern: '(' }, 'pattern'],
  [{ type: 'string', minLength: -1 }, 'minLength'],
  [{ type: 'object', required: ['x'] }, 'required'],
  [{ type: 'object', propertys: {} }, 'propertys'],
  [{ enum: [{ a: 1 }] }, 'enum'],
  [{ type: 'string', enum: ['a', 1] }, 'enum'],
  [{ type: 'string', enum: ['a'], minLength: 3 }, 'minLength'],
  [{ type: 'object', anyOf: [{ type: 'object' }] }, 'type'],
  [{ anyOf: [{ type: 'object', required: ['a'] }] }, 'anyOf[0].required'],
  [{ $ref: '#/$defs/nope' }, '$ref'],
  [{ type: 'array', items: { type: 'object', properties: { a: { not: {} } } } }, 'items.properties.a.not'],
])('in the schema %j the place %s is refused, because it would not be enforced', (schema, path) => {
  expect(flawsOf(schema as Json)).toEqual([path]);
});

test.each([
  ['a(?=b)', 'looks ahead or behind', 'list what is allowed'],
  ['(?<!a)b', 'looks ahead or behind', 'list what is allowed'],
  ['(a|b)\\1', 'refers back', 'repeat the group'],
  ['(?<x>a)\\k<x>', 'refers back', 'repeat the group'],
  ['(', 'not a regular expression', 'in JavaScript syntax'],
  ['a++', 'not a regular expression', 'in JavaScript syntax'],
  ['\\e', 'ambiguous', 'with the flag u'],
  ['a{,3}', 'ambiguous', 'with the flag u'],
  ['a{1001}', 'invalid repeat count', 'at most 1000'],
  ['(ab|cd){300}', 'too large', 'repeat fewer'],
])('the pattern %s is refused with what to write instead', (pattern, message, mend) => {
  expect(enforceable({ type: 'string', pattern }).flaws).toEqual([
    { path: 'pattern', message: expect.stringContaining(message), mend: expect.stringContaining(mend) },
  ]);
});

test.each([
  ['(a+)+$', 'a', '!'],
  ['^(a|a)*$', 'a', '!'],
  ['(x+x+)+y', 'x', ''],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a', ''],
  ['(.*)(.*)(.*)(.*)(.*)[0-9]', 'a', ''],
  ['(a|b)*a(a|b){80}$', 'a', '!'],
])(
  'the pattern %s, which makes JavaScript search without end, decides on a long text',
  (pattern, text, end) => {
    const format = outputFormat({ type: 'object', properties: { a: { type: 'string', pattern } } });
    expect(format.read(JSON.stringify({ a: text.repeat(60_000) + end }))).toMatchObject({
      faults: [expect.stringMatching(/^a: /)],
    });
  },
);

test('texts that are too long for their patterns are a fault of their own, and the next answer is checked afresh', () => {
  const schema = { type: 'array', items: { type: 'string', pattern: '^[ab]{4}(ab|c){50}' } };
  const long = JSON.stringify(Array.from({ length: 20 }, () => 'ab'.repeat(50_000)));
  expect(read(schema, long)).toEqual({ faults: [expect.stringContaining('too long to check')] });
  const format = outputFormat(schema);
  expect(format.read(long)).toEqual({ faults: [expect.stringContaining('too long to check')] });
  expect(format.read(`["${'ab'.repeat(60)}"]`)).toHaveProperty('json');
});

test('a pattern matches what it matches in JavaScript', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      'b',
      '.',
      '\\s',
      '\\S',
      '\\d',
      '\\w',
      '[^a\\s]',
      '[\\S]',
      '[\\b-a]',
      '[^]',
      '[.]',
      '\\b',
      '\\/',
      '[\\]a]',
    ],
    ...[
      '(?:ab|)',
      '(a)?',
      '[a-c]{2}',
      'a*?',
      '^',
      '$',
      '\\u00e9',
      '\\u{1F600}',
      '[\\w\\-]',
      '\\.',
      '\\cJ',
      '[(?=]',
      '\\p{L}',
    ],
  );
  const char = fc.constantFrom(...'ab1_-. \n\r\t\v/]é\u00a0\u2028\ufeff\u200b\b(?='.split(''), '😀');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.array(char, { maxLength: 8 }), (made, chars) => {
      const [pattern, text] = [made.join(''), chars.join('')];
      expect(patternFlaw(pattern)).toBeNull();
      expect(new LinearPattern(pattern).test(text)).toBe(new RegExp(pattern, 'u').test(text));
    }),
    { numRuns: 3000 },
  );
});

test('a schema without a type means the type that its keywords are about', () => {
  expect(isValid({ properties: { a: { type: 'string' } }, required: ['a'] }, 'text')).toBe(false);
  expect(isValid({ items: { type: 'string' } }, {})).toBe(false);
  expect(isValid({ minimum: 3 }, 'x')).toBe(false);
  expect(isValid({ pattern: '^a' }, 3)).toBe(false);
});

test('every keyword that is accepted is enforced', () => {
  const cases: [Json, Json, Json][] = [
    [{ type: 'string', minLength: 2, maxLength: 3 }, 'ab', 'abcd'],
    [{ type: 'string', pattern: '^a+$' }, 'aa', 'ab'],
    [{ type: 'string', format: 'date' }, '2026-02-28', '2026-02-30'],
    [{ type: 'number', exclusiveMinimum: 1, maximum: 2 }, 2, 1],
    [{ type: 'number', multipleOf: 0.5 }, 1.5, 1.3],
    [{ type: 'integer' }, 3, 3.5],
    [{ type: 'array', minItems: 1 }, [1], []],
    [{ type: 'array', items: { type: 'string' }, maxItems: 1 }, ['a'], ['a', 'b']],
    [{ type: 'array', items: { type: 'number' }, uniqueItems: true }, [1, 2], [1, 1]],
    [{ type: 'object', minProperties: 1 }, { a: 1 }, {}],
    [{ type: 'object', additionalProperties: { type: 'string' } }, { a: 'x' }, { a: 1 }],
    [person, { name: 'x', age: 3 }, { name: 'x', more: 1 }],
    [
      { type: 'object', properties: { a: { type: 'string', default: 'x' } }, required: ['a'] },
      { a: 'y' },
      {},
    ],
    [{ enum: ['a', 1, null] }, null, 'b'],
    [{ const: 'a' }, 'a', 'b'],
    [{ type: ['string', 'null'] }, null, 1],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 1, true],
    [
      {
        oneOf: [
          { type: 'number', minimum: 2 },
          { type: 'number', maximum: 3 },
        ],
      },
      1,
      2.5,
    ],
    [{ $ref: '#/definitions/n', definitions: { n: { type: 'number' } } }, 1, 'x'],
    [
      {
        $ref: '#/$defs/tree',
        $defs: {
          tree: { type: 'object', properties: { in: { $ref: '#/$defs/tree' } }, additionalProperties: false },
        },
      },
      { in: { in: {} } },
      { in: { in: { out: 1 } } },
    ],
  ];
  for (const [schema, good, bad] of cases) {
    expect(isValid(schema, good), JSON.stringify(schema)).toBe(true);
    expect(isValid(schema, bad), JSON.stringify(schema)).toBe(false);
  }
});

test('whole numbers of any size are whole, and keep their digits', () => {
  const schema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
  expect(read(schema, '{"id": 12345678901234567890}')).toEqual({ json: '{"id": 12345678901234567890}' });
  expect(read(schema, '{"id": 1.5}')).toEqual({ faults: ['id: expected a whole number'] });
});

test('a fenced block at the end of the answer counts, and prose does not', () => {
  const json = '{"name": "ada"}';
  expect(read(person, `Here it is:\n\`\`\`json\n${json}\n\`\`\``)).toEqual({ json });
  expect(read(person, `\`\`\`\n{"x": 1}\n\`\`\`\nbetter:\n\`\`\`json\n${json}\n\`\`\`\n`)).toEqual({ json });
  for (const prose of ['', 'done', `The answer is ${json}.`, '```json\n{"name": \n```'])
    expect(read(person, prose), prose).toMatchObject({ faults: [expect.stringContaining('no JSON')] });
});

test('every fault is reported with its place', () => {
  expect(read(person, '{"name": "", "age": -1, "x": 1}')).toMatchObject({
    faults: expect.arrayContaining([
      expect.stringMatching(/^name: /),
      expect.stringMatching(/^age: /),
      expect.stringMatching(/^x: /),
    ]),
  });
});

test('an answer of 10 MB is read, and one of 10,000 levels has one clear fault', () => {
  const any = { type: 'object', properties: { a: { type: 'array' } } };
  const large = `{"a": ["${'x'.repeat(10_000_000)}"]}`;
  expect(read(any, large)).toEqual({ json: large });
  expect(read(any, `{"a": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`)).toEqual({
    faults: ['the JSON is nested more than 500 levels deep'],
  });
  expect(read(any, `"${'x'.repeat(21_000_000)}"`)).toMatchObject({
    faults: [expect.stringContaining('at most')],
  });
});

test('names that every object inherits are fields like others', () => {
  const schema = { type: 'object', properties: { toString: { type: 'string' } }, required: ['toString'] };
  expect(isValid(schema, {})).toBe(false);
  expect(isValid(schema, { toString: 'x' })).toBe(true);
  expect(outputFormat(schema as JsonSchema).declared).toEqual(['toString']);
});

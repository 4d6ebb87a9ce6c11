import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Reference, written } from '../reference';
import { type Condition, comparisonsOf, OPERATORS } from './condition';
import { compareNumbers } from './decimal';
import { evaluateCondition } from './evaluate';
import { parseCondition } from './parse';

const values = new Map([
  ['$a.output', 'yes'],
  ['$a.output.score', '85.0'],
  ['$a.output.big', '9007199254740993'],
  ['$a.output.ok', 'true'],
  ['$a.status', 'succeeded'],
  ['$b.status', 'skipped'],
  ['$INPUTS.mode', "it's \\ here"],
  ['$LOOP_PREV.fix.output.done', 'false'],
]);
const lookup = (reference: Reference) => {
  const value = values.get(written(reference));
  return value === undefined ? err(appError('not_found', `nothing for ${written(reference)}`)) : ok(value);
};

function holds(text: string) {
  const parsed = parseCondition(text);
  if (!parsed.ok) throw new Error(`${parsed.error.message} (${parsed.error.where?.column})`);
  const held = evaluateCondition(parsed.value, lookup);
  return held.ok ? held.value : held.error.code;
}

describe('a condition', () => {
  test.each([
    ["$a.output == 'yes'", true],
    ['$a.output != "yes"', false],
    ["$a.output == ' yes'", false],
    ['$a.output.score == 85', true],
    ["$a.output.score == '85'", false],
    ['$a.output.score >= 85', true],
    ["$a.output.score < '90'", true],
    ['$a.output.score>-1e2', true],
    ['$a.output.big == 9007199254740992', false],
    ['$a.output.big > 9007199254740992', true],
    ['$a.output.ok == true', true],
    ["$a.output.ok == 'true'", true],
    ["!($a.status == 'succeeded') || $b.status != 'skipped'", false],
    ['!!$a.output.ok == true', true],
    ["$b.status == 'skipped' || $a.output == 'no' && $a.output == 'no'", true],
    ["($b.status == 'skipped' || $a.output == 'no') && $a.output == 'no'", false],
    ["$INPUTS.mode == 'it\\'s \\\\ here'", true],
    ['$LOOP_PREV.fix.output.done == false', true],
    ["$b.status == 'succeeded' && $b.output.ok == true", false],
    ["$a.status == 'succeeded' || $b.output.ok == true", true],
    ["$b.output.ok == true || $a.status == 'succeeded'", 'not_found'],
    ['$a.output < 5', 'reference.not_a_number'],
  ])('the condition %s gives %s', (text, expected) => {
    expect(holds(text)).toBe(expected);
  });

  test.each([
    ['', 1, 'a reference is expected here, but the condition ends'],
    ["$a.output = 'x'", 11, 'a single = is not an operator'],
    ["$a.output == 'x", 14, 'the text has no closing quote'],
    ['$a.output == x', 14, '"x" is not understood here'],
    ["'x' == $a.output", 1, 'a reference is expected here'],
    ['$a.output.ok', 13, 'an operator is expected here, but the condition ends'],
    ["$a.output == 'x' & $a.output == 'y'", 18, 'a single & is not an operator'],
    ["($a.output == 'x'", 18, 'a closing bracket is missing, but the condition ends'],
    ["$a.output == 'x')", 17, '&& or || is missing here'],
    ['$a.output.b.c == 1', 12, '".c" follows the reference'],
    ['$a.result == 1', 1, '$a.result is not a reference'],
    ['$a.output == $b.output', 14, 'a literal is expected here'],
    ['$a.output == 1.', 14, '"1." is not understood here'],
    [`${'('.repeat(200)}$a.output == 1`, 101, 'more than 100 brackets are nested'],
  ])('the condition %s is refused at column %s', (text, column, message) => {
    expect(parseCondition(text)).toMatchObject({
      ok: false,
      error: { code: 'validation.condition', message, where: { column }, mend: expect.any(String) },
    });
  });

  test('a condition lists every comparison in order', () => {
    const parsed = parseCondition("!($a.output == 'x' && $b.output < 1) || $c.output.d == true");
    const found = parsed.ok ? comparisonsOf(parsed.value) : [];
    expect(found.map(({ found }) => written(found.reference))).toEqual([
      '$a.output',
      '$b.output',
      '$c.output.d',
    ]);
  });

  test('any condition that is written out reads as itself', () => {
    const compare = fc
      .record({
        text: fc.constantFrom('$a.output', '$x-1.output.f', '$b.status', '$INPUTS.n', '$ARGUMENTS'),
        operator: fc.constantFrom(...OPERATORS),
        literal: fc.oneof(
          fc.string().map((value) => ({ type: 'text' as const, value })),
          fc.integer().map((value) => ({ type: 'number' as const, digits: String(value) })),
          fc.boolean().map((value) => ({ type: 'boolean' as const, value })),
        ),
      })
      .map(({ text, operator, literal }) => {
        const value =
          literal.type === 'text'
            ? `'${literal.value.replace(/[\\']/g, '\\$&')}'`
            : String(Object.values(literal)[1]);
        return { shown: `${text} ${operator} ${value}`, shape: [text, operator, literal] as unknown };
      });
    const { whole } = fc.letrec<{ whole: { shown: string; shape: unknown } }>((tie) => ({
      whole: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        compare,
        tie('whole').map(({ shown, shape }) => ({ shown: `!(${shown})`, shape: ['not', shape] })),
        fc
          .tuple(fc.constantFrom('&&', '||'), fc.array(tie('whole'), { minLength: 2, maxLength: 3 }))
          .map(([sign, parts]) => ({
            shown: parts.map(({ shown }) => `(${shown})`).join(sign),
            shape: [sign === '&&' ? 'and' : 'or', ...parts.map(({ shape }) => shape)],
          })),
      ),
    }));
    const shapeOf = (condition: Condition): unknown => {
      if (condition.kind === 'compare')
        return [written(condition.found.reference), condition.operator, condition.literal];
      if (condition.kind === 'not') return ['not', shapeOf(condition.of)];
      return [condition.kind, ...condition.of.map(shapeOf)];
    };
    fc.assert(
      fc.property(whole, ({ shown, shape }) => {
        const parsed = parseCondition(shown);
        expect(parsed.ok ? shapeOf(parsed.value) : parsed.error).toEqual(shape);
      }),
    );
  });

  test('no text makes the parser throw', () => {
    const part = fc.constantFrom(
      '$a.output',
      '==',
      '&&',
      '!',
      '(',
      ')',
      "'",
      '"',
      '\\',
      '1',
      ' ',
      '$',
      '.',
      'true',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string({ maxLength: 3 })), { maxLength: 12 }), (parts) => {
        expect(typeof parseCondition(parts.join('')).ok).toBe('boolean');
      }),
    );
  });
});

describe('numbers', () => {
  test('numbers are ordered as big integers are', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), (one, other) => {
        const expected = one < other ? -1 : Number(one > other);
        expect(Math.sign(compareNumbers(String(one), String(other)) ?? Number.NaN)).toBe(expected);
      }),
    );
  });

  test.each([
    ['0.1', '0.10', 0],
    ['-0', '0', 0],
    ['1e3', '1000', 0],
    ['1e999999999', '2', 1],
    ['-2', '-10', 1],
    ['0.02', '0.1', -1],
  ])('the numbers %s and %s are compared by their value', (one, other, expected) => {
    expect(Math.sign(compareNumbers(one, other) ?? Number.NaN) + 0).toBe(expected);
  });

  test.each(['', 'x', '1x', '0x10', '1,5', 'Infinity', 'NaN', '--1', '.5'])(
    'the text "%s" is no number',
    (text) => {
      expect(compareNumbers(text, '1')).toBeNull();
    },
  );
});

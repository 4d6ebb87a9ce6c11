import fc from 'fast-check';
import { expect, test } from 'vitest';
import { literalPattern } from './literal-pattern';

const FLAGS = ['', 'i', 'u', 'iu', 'v', 'iv', 'g', 'gis'];
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

test('a text as a pattern matches itself under every flag', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(...ASCII), fc.string({ unit: 'binary', maxLength: 1 })),
  });
  fc.assert(
    fc.property(text, fc.constantFrom(...FLAGS), (one, flags) => {
      expect(new RegExp(`^${literalPattern(one)}$`, flags).test(one)).toBe(true);
    }),
  );
  for (const one of ASCII)
    for (const flags of FLAGS) expect(new RegExp(literalPattern(one), flags).test(`a${one}b`)).toBe(true);
});

test('a text as a pattern matches nothing but itself', () => {
  expect(new RegExp(literalPattern('a.b*'), 'u').test('axbb')).toBe(false);
  expect('Key-Opens'.search(new RegExp(literalPattern('key-opens'), 'iu'))).toBe(0);
});

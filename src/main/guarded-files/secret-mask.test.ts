import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SecretMask } from './secret-mask';

const SECRETS = ['sk-ant-0123456789', 'sk-ant-0123456789-long', 'aabaabaab'];

/** The whole output of a terminal that prints these pieces. */
function printed(pieces: readonly string[]): string {
  const mask = SecretMask.of(SECRETS);
  if (mask === null) throw new Error('there is nothing to mask');
  const shown = pieces.map((piece) => mask.take(Buffer.from(piece)));
  return Buffer.concat([...shown, mask.rest()]).toString();
}

test('no secret is in the output, however it is cut into pieces, and everything else is', () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...SECRETS, 'aab', 'sk-ant-'), fc.string()), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(text, fc.array(fc.nat(60), { maxLength: 8 }), (parts, cuts) => {
      const whole = parts.join('|');
      const places = [...new Set([0, ...cuts.filter((cut) => cut < whole.length), whole.length])].sort(
        (a, b) => a - b,
      );
      const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end));
      const shown = printed(pieces);
      for (const secret of SECRETS) expect(shown).not.toContain(secret);
      if (!SECRETS.some((secret) => whole.includes(secret))) expect(shown).toBe(whole);
    }),
  );
});

test('short values and none are no secrets', () => {
  expect(SecretMask.of(['x', 'short'])).toBeNull();
  expect(printed(['the key is sk-ant-01234', '56789, and more'])).toBe('the key is ***, and more');
});

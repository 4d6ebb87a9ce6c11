import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PrintedText } from './printed-text';

/** Text as bytes in chunks that may end inside a character. */
const printed = fc.tuple(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 1, max: 50 }));

function push(into: PrintedText, text: string, size: number): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) into.push(bytes.subarray(at, at + size));
}

test('an output is whole up to the limit for all, and beyond it says its size and shows its end', () => {
  fc.assert(
    fc.property(printed, fc.integer({ min: 0, max: 600 }), ([text, size], most) => {
      const output = new PrintedText(null, most);
      push(output, text, size);
      const bytes = Buffer.byteLength(text);
      expect(output.totalBytes).toBe(bytes);
      const result = output.result();
      if (bytes <= most) expect(result).toBe(text);
      else expect(result).toMatchObject({ part: 'last', shown: text, totalBytes: bytes });
    }),
  );
});

test('a limited output is whole, or says which part it is and of how much', () => {
  fc.assert(
    fc.property(
      printed,
      fc.constantFrom('first' as const, 'last' as const),
      fc.integer({ min: 8, max: 600 }),
      ([text, size], part, bytes) => {
        const output = new PrintedText({ part, bytes });
        push(output, text, size);
        const total = Buffer.byteLength(text);
        const result = output.result();
        if (total <= bytes) {
          expect(result).toBe(text);
          return;
        }
        if (typeof result === 'string') throw new Error('it is not marked');
        const shown = String(result.shown);
        expect(result).toMatchObject({ part, shownBytes: Buffer.byteLength(shown), totalBytes: total });
        expect(part === 'first' ? text.startsWith(shown) : text.endsWith(shown)).toBe(true);
        // At most a character is missing at the cut.
        expect(result.shownBytes).toBeLessThanOrEqual(bytes);
        expect(result.shownBytes).toBeGreaterThan(bytes - 4);
      },
    ),
  );
});

test('an output whose beginning the terminal has dropped is never whole', () => {
  for (const limit of [null, { part: 'first' as const, bytes: 1024 }]) {
    const output = new PrintedText(limit);
    push(output, 'the end', 3);
    output.dropped(100);
    expect(output.result()).toEqual({ part: 'last', shown: 'the end', shownBytes: 7, totalBytes: 107 });
  }
});

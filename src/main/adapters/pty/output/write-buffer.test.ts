import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Gather } from './write-buffer';

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ bytes: fc.integer({ min: 0, max: 9000 }) }) },
  { weight: 1, arbitrary: fc.constant('take' as const) },
);

test('a write buffer returns what was pushed, and a batch is valid until the next one', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const gather = new Gather();
      const pending: Buffer[] = [];
      // The memory of a chunk is reused.
      const memory = Buffer.alloc(9000);
      let printed = 0;
      let batch: { readonly taken: Buffer; readonly wanted: Buffer } | null = null;
      for (const one of steps) {
        if (one === 'take') {
          if (batch !== null) expect(batch.taken.equals(batch.wanted)).toBe(true);
          batch = { taken: gather.take(), wanted: Buffer.concat(pending.splice(0)) };
          expect(batch.taken.equals(batch.wanted)).toBe(true);
        } else {
          printed += 1;
          const piece = memory.subarray(0, one.bytes).fill(printed % 251);
          pending.push(Buffer.from(piece));
          gather.push(piece);
        }
        expect(gather.length).toBe(pending.reduce((sum, { length }) => sum + length, 0));
      }
      if (batch !== null) expect(batch.taken.equals(batch.wanted)).toBe(true);
    }),
  );
});

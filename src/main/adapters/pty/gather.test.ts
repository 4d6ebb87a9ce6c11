import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Gather, PIECE_BYTES, ROOM_BYTES, type Slot, slotIn } from './gather';

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'read' as const, bytes: PIECE_BYTES }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      bytes: fc.integer({ min: 1, max: ROOM_BYTES }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'take' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'cut' as const }) },
);

it('gives back what was read, and a batch holds until the next one, wherever it is read into', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const gather = new Gather();
      const own = slotIn(Buffer.alloc(ROOM_BYTES), 0);
      // As a reader has it: asked for after a piece was taken, and used when the next one comes.
      let slot: Slot = gather.slot() ?? own;
      let printed = 0;
      const pending: number[] = [];
      let batch: { taken: Buffer; wanted: Buffer } | null = null;
      const look = (): void => {
        if (batch) expect(batch.taken.equals(batch.wanted), 'the batch is as it was').toBe(true);
      };
      for (const one of steps) {
        if (one.kind === 'take') {
          look();
          const taken = gather.take();
          batch = { taken, wanted: Buffer.from(pending.splice(0)) };
          expect(taken.length).toBe(batch.wanted.length);
          expect(gather.length).toBe(0);
        } else {
          const bytes = one.kind === 'read' ? one.bytes : PIECE_BYTES;
          for (let at = 0; at < bytes; at += 1) slot.roomy[at] = (printed + at) % 251;
          // What is held back of a piece is pushed later, from memory of its own.
          const cut = one.kind === 'cut' ? 7 : 0;
          const piece = bytes === PIECE_BYTES ? slot.exact : slot.roomy.subarray(0, bytes);
          const held = Buffer.from(piece.subarray(bytes - cut));
          gather.push(cut === 0 ? piece : piece.subarray(0, bytes - cut));
          if (cut > 0) gather.push(held);
          for (let at = 0; at < bytes; at += 1) pending.push((printed + at) % 251);
          printed += bytes;
          slot = gather.slot() ?? own;
        }
        look();
      }
      expect(gather.take().equals(Buffer.from(pending))).toBe(true);
    }),
    { numRuns: 200 },
  );
});

it('has whole pieces in their place, without a copy', () => {
  const gather = new Gather();
  let copied = 0;
  for (let number = 0; number < 60; number += 1) {
    const slot = gather.slot();
    if (slot === undefined) copied += 1;
    gather.push(slot?.exact ?? Buffer.alloc(PIECE_BYTES));
  }
  // Where the memory was too small for it.
  expect(copied).toBe(8);
  gather.push(Buffer.from('short'));
  expect(gather.slot(), 'behind a short piece it is copied').toBeUndefined();
  gather.take();
  expect(gather.slot()).toBeDefined();
});

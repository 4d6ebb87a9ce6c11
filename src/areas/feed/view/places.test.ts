import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seen, topOf, totalOf } from './places';

test('rows lie under each other, and the visible ones are exactly those that touch the window', () => {
  const place = fc.record({
    base: fc.nat(50),
    count: fc.integer({ min: 1, max: 60 }),
    height: fc.constant(10),
  });
  fc.assert(
    fc.property(place, fc.nat(1_300), fc.integer({ min: 1, max: 300 }), (places, top, shown) => {
      const touched: number[] = [];
      for (let index = 0; index < places.count; index += 1) {
        const y = topOf(places, index);
        if (y <= top + shown && y + 10 > top) touched.push(index);
      }
      expect(totalOf(places)).toBe(topOf(places, places.count - 1) + 10);
      const { from, to } = seen(places, top, top + shown);
      expect(Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)).toEqual(touched);
    }),
  );
});

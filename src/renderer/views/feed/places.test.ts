import fc from 'fast-check';
import { expect, test } from 'vitest';
import { heightOf, seen, topOf, totalOf } from './places';

test('rows lie under each other, and those that are seen are exactly those that touch what is shown', () => {
  const place = fc.record({
    base: fc.nat(50),
    count: fc.integer({ min: 1, max: 60 }),
    height: fc.constant(10),
    open: fc.option(fc.record({ index: fc.nat(59), height: fc.integer({ min: 10, max: 80 }) })),
  });
  fc.assert(
    fc.property(place, fc.nat(1_300), fc.integer({ min: 1, max: 300 }), (places, top, shown) => {
      let y = places.base * 10;
      const touched: number[] = [];
      for (let index = 0; index < places.count; index += 1) {
        expect(topOf(places, index)).toBe(y);
        const end = y + heightOf(places, index);
        if (y <= top + shown && end > top) touched.push(index);
        y = end;
      }
      const open = places.open !== null && places.open.index < places.count ? places.open : null;
      expect(totalOf({ ...places, open })).toBe(y);
      const { from, to } = seen({ ...places, open }, top, top + shown);
      expect(Array.from({ length: to - from }, (_, index) => from + index)).toEqual(touched);
    }),
  );
});

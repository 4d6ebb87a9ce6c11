import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Lengths } from './lengths';

test('every length is told, but for those that follow the last one told by less than 16 ms', () => {
  const lengths = new Lengths();
  for (const [offset, at] of [
    [1, 100],
    [2, 120],
    [3, 125],
    [4, 130],
    [5, 150],
  ] as const)
    lengths.add(offset, { offset, at });
  expect(lengths.take()).toEqual({
    bytes: 5,
    lengths: [
      { offset: 1, at: 100 },
      { offset: 2, at: 120 },
      { offset: 5, at: 150 },
    ],
  });
  expect(lengths.take()).toBe(null);
});

test('whatever comes and whenever it is told: the newest is always told, in order, and none that is left out lies 16 ms from one told', () => {
  const steps = fc.array(fc.record({ after: fc.nat({ max: 40 }), told: fc.boolean() }), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (all) => {
      const lengths = new Lengths();
      const [added, told]: [number[], number[]] = [[], []];
      let at = 1000;
      for (const [offset, step] of all.entries()) {
        at += step.after;
        added.push(at);
        lengths.add(offset, { offset, at });
        if (step.told) told.push(...(lengths.take()?.lengths ?? []).map((one) => one.at));
      }
      told.push(...(lengths.take()?.lengths ?? []).map((one) => one.at));
      expect(told.at(-1)).toBe(added.at(-1));
      expect(told).toEqual([...told].sort((a, b) => a - b));
      for (const one of added) {
        const earlier = told.findLast((time) => time <= one) ?? Number.NEGATIVE_INFINITY;
        const later = told.find((time) => time >= one) ?? Number.POSITIVE_INFINITY;
        expect(Math.min(one - earlier, later - one)).toBeLessThan(16);
      }
    }),
  );
});

import { expect, test } from 'vitest';
import { viewWith } from './step-in-view';

const size = { width: 1000, height: 700 };
const at = (x: number, y = 300) => ({ x, y, width: 200, height: 60 });
const view = (zoom = 1) => ({ x: 0, y: 0, zoom });

test('a step that is in sight moves nothing', () => {
  expect(viewWith(at(400), view(), size)).toBeNull();
});

test('a step outside the view is brought in without losing its neighbours', () => {
  expect(viewWith(at(900), view(), size)).toEqual({ x: -140, y: 0, zoom: 1 });
  expect(viewWith(at(-100), view(), size)).toEqual({ x: 140, y: 0, zoom: 1 });
});

test('a step that is far away stands in the middle, where its words can be read', () => {
  expect(viewWith(at(5000), view(), size)).toEqual({ x: 500 - 5100, y: 350 - 330, zoom: 1 });
  const from = viewWith(at(400), view(0.2), size);
  expect(from?.zoom).toBe(0.65);
  expect((from?.x ?? 0) + 500 * 0.65).toBeCloseTo(500);
});

test('the head of a group that is larger than the canvas is in sight', () => {
  const group = { x: 0, y: 0, width: 3000, height: 2000 };
  const seen = viewWith(group, { x: -800, y: 0, zoom: 1 }, size);
  expect(seen).toMatchObject({ zoom: 1 });
  expect(seen?.x).toBeGreaterThanOrEqual(24);
});

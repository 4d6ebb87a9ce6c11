import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layered } from './layered';

type Drawn = Parameters<typeof layered>[0];

const size = { width: 216, height: 56 };
const node = (index: number, height = 56) => ({
  id: `s${index}`,
  size: { ...size, height },
  inputs: [],
  outputs: [],
});
const edge = (from: number, to: number) => ({
  from: { step: `s${from}`, port: 'data_out' },
  to: { step: `s${to}`, port: 'data_in' },
});

const graphs = fc
  .record({
    heights: fc.array(fc.integer({ min: 56, max: 300 }), { minLength: 1, maxLength: 60 }),
    pairs: fc.array(fc.tuple(fc.nat(59), fc.nat(59)), { maxLength: 90 }),
  })
  .map(({ heights, pairs }): Drawn => {
    const count = heights.length;
    return {
      nodes: heights.map((height, index) => node(index, height)),
      edges: pairs
        .map(([from, to]): [number, number] => [from % count, to % count])
        .flatMap(([from, to]) => (from === to ? [] : [edge(from, to)])),
    };
  });

test('every step has a place, and no two cover each other, also in circles', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const places = layered(graph);
      const boxes = graph.nodes.map(({ id, size: { height } }) => ({
        ...(places.get(id) ?? { x: Number.NaN, y: Number.NaN }),
        height,
      }));
      for (const [index, one] of boxes.entries()) {
        expect(Number.isFinite(one.x) && Number.isFinite(one.y)).toBe(true);
        for (const other of boxes.slice(index + 1)) {
          const apart = Math.abs(one.x - other.x) >= size.width;
          const [above, below] = one.y <= other.y ? [one, other] : [other, one];
          expect(apart || above.y + above.height < below.y).toBe(true);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('a cable leads to the right', () => {
  fc.assert(
    fc.property(graphs, ({ nodes, edges }) => {
      const order = (step: string): number => Number(step.slice(1));
      const forward = edges.filter(({ from, to }) => order(from.step) < order(to.step));
      const places = layered({ nodes, edges: forward });
      for (const { from, to } of forward)
        expect(places.get(to.step)?.x).toBeGreaterThan(places.get(from.step)?.x ?? 0);
    }),
    { numRuns: 100 },
  );
});

test('a chain is straight, and the branches of a step lie around it', () => {
  const chain = layered({ nodes: [0, 1, 2].map((index) => node(index)), edges: [edge(0, 1), edge(1, 2)] });
  expect([...chain.values()]).toEqual([
    { x: 0, y: 0 },
    { x: 280, y: 0 },
    { x: 560, y: 0 },
  ]);
  const branches = layered({
    nodes: [0, 1, 2, 3, 4].map((index) => node(index)),
    edges: [1, 2, 3].flatMap((index) => [edge(0, index), edge(index, 4)]),
  });
  expect([...branches]).toEqual([
    ['s0', { x: 0, y: 96 }],
    ['s1', { x: 280, y: 0 }],
    ['s2', { x: 280, y: 96 }],
    ['s3', { x: 280, y: 192 }],
    ['s4', { x: 560, y: 96 }],
  ]);
});

test('cables that would cross are sorted', () => {
  const places = layered({
    nodes: [0, 1, 2, 3, 4, 5].map((index) => node(index)),
    edges: [edge(0, 5), edge(1, 4), edge(2, 3)],
  });
  const rows = [0, 1, 2].map((index) => places.get(`s${index}`)?.y);
  expect([5, 4, 3].map((index) => places.get(`s${index}`)?.y)).toEqual(rows);
});

test('steps without cables are in rows below the others', () => {
  const places = layered({
    nodes: Array.from({ length: 9 }, (_, index) => node(index)),
    edges: [edge(0, 1)],
  });
  expect([2, 7, 8].map((index) => places.get(`s${index}`))).toEqual([
    { x: 0, y: 96 },
    { x: 1400, y: 96 },
    { x: 0, y: 192 },
  ]);
});

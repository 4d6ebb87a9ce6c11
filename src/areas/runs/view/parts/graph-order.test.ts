import { expect, test } from 'vitest';
import { graphOrder } from './graph-order';

const graph = (ids: string[], cables: string[]) => ({
  steps: ids.map((id) => ({ id, type: 't', config: {} })),
  cables: cables.map((cable) => {
    const [from = '', to = ''] = cable.split(' ');
    return { from, to };
  }),
});
const order = (...args: Parameters<typeof graph>) =>
  graphOrder(graph(...args)).map(({ id, depth }) => `${depth} ${id}`);

test('a step is placed after those it depends on, else in the order of the file', () => {
  expect(order(['c', 'a', 'b'], ['a.out b.in', 'b.out c.in'])).toEqual(['0 a', '1 b', '2 c']);
  expect(order(['x', 'y', 'z'], ['x.out z.in'])).toEqual(['0 x', '0 y', '1 z']);
});

test('a way back is read as leading back', () => {
  expect(
    order(['plan', 'gate', 'build'], ['plan.out gate.in', 'gate.revise plan.in', 'gate.ok build.in']),
  ).toEqual(['0 plan', '1 gate', '2 build']);
});

test('cables from nowhere and to oneself are tolerated', () => {
  expect(order(['a', 'b'], ['gone.out a.in', 'a.out a.in', 'a.out b.in'])).toEqual(['0 a', '1 b']);
});

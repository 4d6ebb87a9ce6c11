import { expect, test } from 'vitest';
import { gradually } from './gradual-nodes';
import type { StepNode } from './step-node';

const node = (id: string, selected = false): StepNode =>
  ({ id, selected, position: { x: 0, y: 0 } }) as StepNode;
const ids = (nodes: readonly StepNode[]) => nodes.map(({ id }) => id).join('');
const shown = (nodes: readonly StepNode[]) => ids(nodes.filter(({ hidden }) => hidden !== true));

test('Nodes without an element are hidden and pending, and a selected one has its element from the start.', () => {
  const all = [node('a'), node('b'), node('c', true), node('d')];
  const first = gradually(all, 1);
  expect(ids(first.nodes)).toBe('abcd');
  expect(shown(first.nodes)).toBe('ac');
  expect(ids(first.pending)).toBe('bd');
});

test('From one frame to the next only the nodes that are shown next are other objects.', () => {
  const all = [node('a'), node('b'), node('c')];
  const [first, second] = [gradually(all, 1), gradually(all, 2)];
  expect(second.nodes[0]).toBe(first.nodes[0]);
  expect(second.nodes[1]).toBe(all[1]);
  expect(second.nodes[2]).toBe(first.nodes[2]);
});

test('the list of nodes is the given one once all have elements', () => {
  const all = [node('a'), node('b')];
  expect(gradually(all, 2)).toEqual({ nodes: all, pending: [] });
  expect(gradually(all, 2).nodes).toBe(all);
});

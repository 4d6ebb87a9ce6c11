import { afterEach, expect, test, vi } from 'vitest';
import { canvasGraph } from '../graph/graph';
import { firstSight } from './first-sight';

afterEach(() => {
  vi.unstubAllGlobals();
});

const step = (id: string) => ({ id, type: 'step.command', config: {} });
const size = { width: 200, height: 60 };

test('The canvas is first seen from where all steps fit in, and none of them is drawn for it.', () => {
  vi.stubGlobal('window', { innerWidth: 1280, innerHeight: 800 });
  const graph = canvasGraph({
    steps: [step('a'), step('b')],
    cables: [],
    ports: {},
    open: new Set<string>(),
  } as never);
  const at = new Map([
    ['a', { x: -40, y: 10 }],
    ['b', { x: 900, y: 500 }],
  ]);
  const sizes = new Map([...at.keys()].map((key) => [key, size]));
  const { initialNodes } = firstSight({ graph, placement: { at, sizes, origins: new Map() } });
  expect(initialNodes).toMatchObject([
    { position: { x: -40, y: 10 }, width: 1140, height: 550, hidden: true },
  ]);
});

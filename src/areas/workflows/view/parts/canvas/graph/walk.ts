import type { Placement } from '../layout/place';
import type { CanvasCable, CanvasGraph } from './graph';

export type Direction = 'left' | 'right' | 'up' | 'down';

interface Seen {
  readonly graph: CanvasGraph;
  readonly placement: Placement;
}

/**
 * The next step in a direction: along a cable to the left or right, otherwise the nearest one on that side.
 */
export function nextStep(seen: Seen, from: string | null, direction: Direction): string | null {
  const { graph } = seen;
  const here = graph.steps.find(({ key }) => key === from);
  if (here === undefined) return firstStep(seen);
  if (direction === 'right' || direction === 'left') {
    const along = alongCable(seen, here.key, direction);
    if (along !== null) return along;
  }
  if (direction === 'down' && here.open) return firstStep(seen, here.key);
  const near = nearest(seen, here.key, direction);
  return near ?? (direction === 'up' || direction === 'left' ? here.parent : null);
}

/** The leftmost step, and of several the topmost. */
function firstStep({ graph, placement }: Seen, parent: string | null = null): string | null {
  const steps = graph.steps.filter((step) => step.parent === parent);
  const at = (key: string) => placement.at.get(key) ?? { x: 0, y: 0 };
  const [first] = steps.sort((a, b) => at(a.key).x - at(b.key).x || at(a.key).y - at(b.key).y);
  return first?.key ?? null;
}

function alongCable({ graph, placement }: Seen, key: string, direction: 'left' | 'right'): string | null {
  const out = direction === 'right';
  const ends = graph.cables
    .filter((cable) => !cable.back && (out ? cable.from : cable.to).step === key)
    .map((cable) => (out ? cable.to : cable.from).step)
    .filter((other) => other !== key);
  const y = (other: string) => placement.at.get(other)?.y ?? 0;
  return ends.sort((a, b) => y(a) - y(b))[0] ?? null;
}

function nearest({ graph, placement }: Seen, key: string, direction: Direction): string | null {
  const middle = (other: string) => {
    const { x, y } = placement.at.get(other) ?? { x: 0, y: 0 };
    const { width, height } = placement.sizes.get(other) ?? { width: 0, height: 0 };
    return { x: x + width / 2, y: y + height / 2 };
  };
  const here = middle(key);
  const parent = graph.steps.find((step) => step.key === key)?.parent ?? null;
  let best: { key: string; far: number } | null = null;
  for (const other of graph.steps) {
    if (other.parent !== parent || other.key === key) continue;
    const { x, y } = middle(other.key);
    const [dx, dy] = [x - here.x, y - here.y];
    const flat = direction === 'left' || direction === 'right';
    const ahead = flat ? dx * (direction === 'right' ? 1 : -1) : dy * (direction === 'down' ? 1 : -1);
    if (ahead < 1) continue;
    const far = ahead + 2 * Math.abs(flat ? dy : dx);
    if (best === null || far < best.far) best = { key: other.key, far };
  }
  return best?.key ?? null;
}

/** The cables of a step, incoming ones first. */
const cablesAt = ({ cables }: CanvasGraph, key: string): readonly CanvasCable[] => [
  ...cables.filter(({ to }) => to.step === key),
  ...cables.filter(({ from, to }) => from.step === key && to.step !== key),
];

/** The cable after `from` at its step; null if there is none. */
export function nextCable(graph: CanvasGraph, step: string, from: string | null): CanvasCable | null {
  const all = cablesAt(graph, step);
  const at = all.findIndex(({ key }) => key === from);
  return all[(at + 1) % Math.max(1, all.length)] ?? null;
}

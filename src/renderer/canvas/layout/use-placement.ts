import { useEffect, useMemo, useState } from 'react';
import type { CanvasGraph } from '../graph/graph';
import { type Arrange, type Placement, type Point, place, placementKey } from './place';

/** Where elkjs cannot work, steps stand in rows: everything can still be seen and changed. */
const inRows: Arrange = async ({ nodes }) => {
  const places = new Map<string, Point>();
  let [x, y, row] = [0, 0, 0];
  for (const [index, { id, size }] of nodes.entries()) {
    if (index > 0 && index % 6 === 0) [x, y, row] = [0, y + row + 40, 0];
    places.set(id, { x, y });
    x += size.width + 84;
    row = Math.max(row, size.height);
  }
  return places;
};

const elk: Arrange = async (graph) => {
  try {
    return await (await import('./arrange')).arrange(graph);
  } catch {
    return inRows(graph);
  }
};

/** The places of a graph, by the layout. */
export const arranged = (graph: CanvasGraph, height: number): Promise<Placement> =>
  place(graph, { height, arrange: elk });

/** The places of a graph. Null until the first ones are known; the last ones stay while others are looked for. */
export function usePlacement(graph: CanvasGraph | null, height: number): Placement | null {
  const key = useMemo(() => (graph === null ? '' : placementKey(graph, height)), [graph, height]);
  const [placed, setPlaced] = useState<Placement | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what a placement depends on
  useEffect(() => {
    if (graph === null) return;
    let wanted = true;
    void arranged(graph, height).then((found) => {
      if (wanted) setPlaced(found);
    });
    return () => {
      wanted = false;
    };
  }, [key]);
  return placed;
}

import { useEffect, useMemo, useRef, useState } from 'react';
import type { CanvasGraph } from '../graph/graph';
import { type Arrange, type Placement, type Point, place, placementKey, placeNow } from './place';

/** If elkjs is unavailable, steps are placed in rows: everything stays visible and editable. */
const inRows: Arrange = async ({ nodes }) => {
  const places = new Map<string, Point>();
  let [x, y, row] = [0, 0, 0];
  for (const [index, { id, size }] of nodes.entries()) {
    if (index > 0 && index % 6 === 0) [x, y, row] = [0, y + row + 40, 0];
    places.set(id, { x, y });
    x += size.width + 64;
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

/** The positions of a graph, by the automatic layout. */
export const arranged = (graph: CanvasGraph, height: number): Promise<Placement> =>
  place(graph, { height, arrange: elk });

/**
 * The positions of a graph. Null until the first are known; the last ones stay while new ones are computed.
 */
export function usePlacement(graph: CanvasGraph | null, height: number): Placement | null {
  const key = useMemo(() => (graph === null ? '' : placementKey(graph, height)), [graph, height]);
  const [found, setFound] = useState<KeptPlacement | null>(null);
  const last = useRef<Placement | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key covers all inputs of a placement
  const now = useMemo(() => (graph === null ? null : placeNow(graph, { height })), [key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key covers all inputs of a placement
  useEffect(() => {
    if (graph === null || now !== null) return;
    let wanted = true;
    void arranged(graph, height).then((placement) => {
      if (wanted) setFound({ key, placement });
    });
    return () => {
      wanted = false;
    };
  }, [key]);
  const placed = now ?? (found?.key === key ? found.placement : last.current);
  last.current = placed;
  return placed;
}

interface KeptPlacement {
  readonly key: string;
  readonly placement: Placement;
}

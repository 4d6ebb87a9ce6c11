import { FIT } from './canvas-handle';
import type { Drawn } from './elements';

export const LEAST_ZOOM = 0.05;
export const MOST_ZOOM = 2;

type Shown = Pick<Drawn, 'graph' | 'placement'>;

/**
 * From where the canvas is first seen. Without it, the steps near the origin would be drawn in full once, before all of
 * them are fitted in. One unseen node as large as all of them says where they lie: the steps themselves would be drawn
 * here as nodes of React Flow's own kind, and thrown away.
 */
export const firstSight = (drawn: Shown) => {
  const { x, y, ...size } = boundsOf(drawn);
  return {
    initialWidth: window.innerWidth / 2,
    initialHeight: window.innerHeight / 2,
    fitView: true,
    initialFitViewOptions: FIT,
    initialMinZoom: LEAST_ZOOM,
    initialMaxZoom: MOST_ZOOM,
    initialNodes: [{ id: '', position: { x, y }, data: {}, ...size, measured: size, hidden: true }],
  };
};

/** The place of all steps. */
function boundsOf({ graph, placement }: Shown) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { key, parent } of graph.steps) {
    const position = placement.at.get(key);
    const size = placement.sizes.get(key);
    if (parent !== null || position === undefined || size === undefined) continue;
    [left, top] = [Math.min(left, position.x), Math.min(top, position.y)];
    [right, bottom] = [Math.max(right, position.x + size.width), Math.max(bottom, position.y + size.height)];
  }
  return left > right
    ? { x: 0, y: 0, width: 1, height: 1 }
    : { x: left, y: top, width: right - left, height: bottom - top };
}

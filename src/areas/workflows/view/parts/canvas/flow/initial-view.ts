import { getViewportForBounds, type Viewport } from '@xyflow/react';
import type { Size } from '../graph/ports';
import type { Point } from '../layout/place';
import type { Drawn } from './elements';
import { MOST_NAMED, READABLE_ZOOM } from './sight';

export const LEAST_ZOOM = 0.05;
export const MOST_ZOOM = 2;

/** How all of a workflow is brought into sight. */
export const FIT = { padding: 0.12, maxZoom: 1, includeHiddenNodes: true };

type Shown = Pick<Drawn, 'graph' | 'placement' | 'faces'>;
type Box = Point & Size;

/** Left free at the edges, in pixels: the tools of the canvas stand above. */
const FREE = { left: 20, top: 56, right: 20, bottom: 20 };

/**
 * What is seen of a workflow before anything is moved: all of it where its words can be read then, else the part around
 * the active step. Of a large workflow all of it: no part tells what it is about.
 */
export function firstView(drawn: Shown, { width, height }: Size, active: string | null): Viewport {
  const bounds = boundsOf(drawn);
  const whole = wholeView(drawn, { width, height });
  if (whole.zoom >= READABLE_ZOOM || drawn.graph.steps.length > MOST_NAMED) return whole;
  const wide = { view: width, before: FREE.left, after: FREE.right, from: bounds.x, size: bounds.width };
  const high = { view: height, before: FREE.top, after: FREE.bottom, from: bounds.y, size: bounds.height };
  const zoom = Math.max(READABLE_ZOOM, Math.min(zoomOf(wide), zoomOf(high), FIT.maxZoom));
  const { x, y } = middleOf(drawn, active ?? busyStep(drawn) ?? firstStep(drawn));
  return { x: shiftOf(wide, x, zoom), y: shiftOf(high, y, zoom), zoom };
}

/** All of a workflow, as `fitView` of React Flow shows it. */
export const wholeView = (drawn: Shown, { width, height }: Size): Viewport =>
  getViewportForBounds(boundsOf(drawn), width, height, LEAST_ZOOM, FIT.maxZoom, FIT.padding);

interface Side {
  readonly view: number;
  readonly before: number;
  readonly after: number;
  /** Where the steps begin, and how much room they take. */
  readonly from: number;
  readonly size: number;
}

const zoomOf = ({ view, before, after, size }: Side): number => (view - before - after) / size;

/** Centers `middle`, but shows no empty space beyond the first and the last step; a small graph is centered whole. */
function shiftOf({ view, before, after, from, size }: Side, middle: number, zoom: number): number {
  const room = view - before - after;
  const over = room - size * zoom;
  if (over >= 0) return before + over / 2 - from * zoom;
  const wanted = before + room / 2 - middle * zoom;
  return Math.min(before - from * zoom, Math.max(before + over - from * zoom, wanted));
}

/** The step of a run that the view follows. Of a large workflow all is in sight. */
export const followed = (drawn: Shown): string | null =>
  drawn.graph.steps.length > MOST_NAMED ? null : busyStep(drawn);

/** The step in a run that needs the operator, works or failed; the innermost of those that say the same. */
function busyStep({ graph, faces }: Shown): string | null {
  if (faces === null) return null;
  for (const tone of ['waits', 'running', 'failed']) {
    const keys = graph.steps.map(({ key }) => key).filter((key) => faces.get(key)?.word.tone === tone);
    const found = keys.find((key) => !keys.some((other) => other.startsWith(`${key}/`)));
    if (found !== undefined) return found;
  }
  return null;
}

function firstStep({ graph, placement }: Shown): string | null {
  let first: { readonly key: string; readonly at: Point } | null = null;
  for (const { key, parent } of graph.steps) {
    const at = placement.at.get(key);
    if (parent !== null || at === undefined) continue;
    if (first === null || at.x < first.at.x || (at.x === first.at.x && at.y < first.at.y))
      first = { key, at };
  }
  return first?.key ?? null;
}

/** The middle of a step, from the origin of the whole. */
function middleOf({ placement }: Shown, step: string | null): Point {
  const { width, height } = placement.sizes.get(step ?? '') ?? { width: 0, height: 0 };
  const middle = { x: width / 2, y: height / 2 };
  for (let key = step ?? ''; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('/')))) {
    const at = placement.at.get(key);
    middle.x += at?.x ?? 0;
    middle.y += at?.y ?? 0;
  }
  return middle;
}

/** The place of all steps. */
function boundsOf({ graph, placement }: Shown): Box {
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

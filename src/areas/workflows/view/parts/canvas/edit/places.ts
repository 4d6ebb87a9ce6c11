import type { WorkflowEdit } from '../../../../contract/edit';
import type { CanvasGraph, CanvasStep } from '../graph/graph';
import { GROUP_HEAD, type Placement, type Point } from '../layout/place';
import { editableSteps, holdsBody, stepPath } from './wiring';

interface Placed {
  readonly graph: CanvasGraph;
  readonly placement: Placement;
}

/** The position as in the file: relative to the body that contains the step. */
export function filePoint({ graph, placement }: Placed, key: string, { x, y }: Point): Point {
  const parent = graph.steps.find((step) => step.key === key)?.parent ?? null;
  const origin = (parent === null ? undefined : placement.origins.get(parent)) ?? { x: 0, y: 0 };
  return { x: Math.round(x - origin.x), y: Math.round(y - origin.y) };
}

/** The upper left corner of a step, relative to the whole workflow. */
function cornerOf({ placement }: Placed, key: string): Point {
  let corner = { x: 0, y: 0 };
  for (let at: string = key; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const { x, y } = placement.at.get(at) ?? { x: 0, y: 0 };
    corner = { x: corner.x + x, y: corner.y + y };
  }
  return corner;
}

/** The innermost open body under a point of the workflow, and the point relative to that body. */
export function bodyUnder(
  placed: Placed,
  point: Point,
): { readonly parent: string | null; readonly at: Point } {
  let inner: CanvasStep | null = null;
  for (const step of editableSteps(placed.graph).values()) {
    if (!step.open || !holdsBody(step)) continue;
    const corner = cornerOf(placed, step.key);
    const size = placed.placement.sizes.get(step.key) ?? { width: 0, height: 0 };
    const [right, down] = [point.x - corner.x, point.y - corner.y];
    // Steps come before the steps of their bodies, so the last match is the innermost.
    if (right >= 0 && down >= GROUP_HEAD && right <= size.width && down <= size.height) inner = step;
  }
  const corner = inner === null ? { x: 0, y: 0 } : cornerOf(placed, inner.key);
  const origin = (inner && placed.placement.origins.get(inner.key)) ?? { x: 0, y: 0 };
  return {
    parent: inner?.key ?? null,
    at: { x: Math.round(point.x - corner.x - origin.x), y: Math.round(point.y - corner.y - origin.y) },
  };
}

/** One move for each movable step whose position in the file differs. */
export function moveEdits(graph: CanvasGraph, moves: ReadonlyMap<string, Point>): WorkflowEdit[] {
  const steps = editableSteps(graph);
  return [...moves].flatMap(([key, position]): WorkflowEdit[] => {
    const step = steps.get(key)?.step;
    const was = step?.position;
    if (step == null || (was?.x === position.x && was.y === position.y)) return [];
    return [{ kind: 'step.move', step: stepPath(key), position: { ...position } }];
  });
}

/** The positions of all steps of a placement, as moves. */
export const allMoves = (placed: Placed): ReadonlyMap<string, Point> =>
  new Map([...placed.placement.at].map(([key, point]) => [key, filePoint(placed, key, point)]));

/** The same graph without the positions from its file. */
export const unplaced = (graph: CanvasGraph): CanvasGraph => ({
  ...graph,
  steps: graph.steps.map((one) => {
    if (one.step?.position === undefined) return one;
    const { position: _, ...step } = one.step;
    return { ...one, step };
  }),
});

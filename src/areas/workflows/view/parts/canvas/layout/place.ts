import type { CanvasCable, CanvasGraph, CanvasPort, CanvasStep } from '../graph/graph';
import { portAt, type Size, shownPorts, sizeOf } from '../graph/ports';
import { layered } from './layered';

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface PlacedPort {
  readonly name: string;
  readonly y: number;
}

interface ToArrange {
  readonly nodes: readonly {
    readonly id: string;
    readonly size: Size;
    readonly inputs: readonly PlacedPort[];
    readonly outputs: readonly PlacedPort[];
  }[];
  readonly edges: readonly Pick<CanvasCable, 'from' | 'to'>[];
}

/** Finds a position for every node. */
export type Arrange = (graph: ToArrange) => Promise<ReadonlyMap<string, Point>>;

export interface Placement {
  /** The upper left corner, relative to the enclosing step. */
  readonly at: ReadonlyMap<string, Point>;
  readonly sizes: ReadonlyMap<string, Size>;
  /** The origin of a body's positions, by the enclosing step. */
  readonly origins: ReadonlyMap<string, Point>;
}

interface PlaceOptions {
  /** The minimum height of a step. */
  readonly height: number;
}

/** More steps than this are first shown in simple layers: the better layout of 100 takes half a second. */
const MOST_ARRANGED = 60;

export const GROUP_HEAD = 48;
const GROUP_EDGE = 24;
const GAP = 40;
const BESIDE = 64;

/** What the layout found for the steps of a body, by the key of their step; null: those of the workflow itself. */
type LayoutResult = ReadonlyMap<string | null, ReadonlyMap<string, Point>>;

/** The steps of a body that must be laid out first. */
interface Missing {
  readonly parent: string | null;
  readonly toArrange: ToArrange;
}

/**
 * The position of each step: from the file, otherwise from the layout. Bodies are placed before their steps.
 */
export async function place(
  graph: CanvasGraph,
  { height, arrange }: PlaceOptions & { readonly arrange: Arrange },
): Promise<Placement> {
  const found = new Map<string | null, ReadonlyMap<string, Point>>();
  for (;;) {
    const made = placeWith(graph, { height, most: Infinity }, found);
    if (!('toArrange' in made)) return made;
    found.set(made.parent, await arrange(made.toArrange));
  }
}

/** The same synchronously, with many steps in simple layers; null if a few steps must be laid out. */
export function placeNow(graph: CanvasGraph, { height }: PlaceOptions): Placement | null {
  const made = placeWith(graph, { height, most: MOST_ARRANGED }, new Map());
  return 'toArrange' in made ? null : made;
}

interface LevelOptions extends PlaceOptions {
  /** More steps without positions than this are placed in simple layers. */
  readonly most: number;
}

function placeWith(
  graph: CanvasGraph,
  { height, most }: LevelOptions,
  found: LayoutResult,
): Placement | Missing {
  const levels = new Map<string | null, CanvasStep[]>();
  for (const step of graph.steps) {
    const level = levels.get(step.parent) ?? [];
    level.push(step);
    levels.set(step.parent, level);
  }
  const made: PlacementParts = {
    graph,
    height,
    most,
    found,
    levels,
    at: new Map(),
    sizes: new Map(),
    origins: new Map(),
  };
  return placeLevel(made, null) ?? made;
}

interface PlacementParts extends LevelOptions {
  readonly graph: CanvasGraph;
  readonly found: LayoutResult;
  readonly levels: ReadonlyMap<string | null, readonly CanvasStep[]>;
  readonly at: Map<string, Point>;
  readonly sizes: Map<string, Size>;
  readonly origins: Map<string, Point>;
}

function placeLevel(made: PlacementParts, parent: string | null): Missing | null {
  const steps = made.levels.get(parent) ?? [];
  for (const step of steps) {
    const missing = step.open ? placeBody(made, step) : null;
    if (missing !== null) return missing;
    if (!step.open) made.sizes.set(step.key, sizeOf(step, made.height));
  }
  const places = placesOf(made, parent, steps);
  if ('toArrange' in places) return places;
  for (const [key, point] of places) made.at.set(key, point);
  return null;
}

function placeBody(made: PlacementParts, step: CanvasStep): Missing | null {
  const missing = placeLevel(made, step.key);
  if (missing !== null) return missing;
  const inner = made.levels.get(step.key) ?? [];
  const boxes = inner.map(({ key }) => boxOf(made, key));
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const by = { x: GROUP_EDGE - left, y: GROUP_HEAD + GROUP_EDGE - top };
  for (const { key } of inner) {
    const { x, y } = boxOf(made, key);
    made.at.set(key, { x: x + by.x, y: y + by.y });
  }
  made.origins.set(step.key, by);
  const least = sizeOf(step, made.height);
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  made.sizes.set(step.key, {
    width: Math.max(least.width + 120, right + by.x + GROUP_EDGE),
    height: Math.max(least.height, bottom + by.y + GROUP_EDGE),
  });
  return null;
}

function boxOf({ at, sizes }: Pick<PlacementParts, 'at' | 'sizes'>, key: string): Point & Size {
  return { ...(at.get(key) ?? { x: 0, y: 0 }), ...(sizes.get(key) ?? { width: 0, height: 0 }) };
}

function placesOf(
  made: PlacementParts,
  parent: string | null,
  steps: readonly CanvasStep[],
): ReadonlyMap<string, Point> | Missing {
  const fixed = new Map(
    steps.flatMap(({ key, step }): [string, Point][] => (step?.position ? [[key, step.position]] : [])),
  );
  if (fixed.size === steps.length) return fixed;
  // Among many positions from the file, a step without one is placed beside the steps before it.
  if (fixed.size > steps.length / 2) return besideOthers(made, steps, fixed);
  let found = made.found.get(parent);
  if (found === undefined) {
    const keys = new Set(steps.map(({ key }) => key));
    const cables = made.graph.cables.filter(({ from, to }) => keys.has(from.step) && keys.has(to.step));
    const edges = cables.filter(({ back, from, to }) => !back && from.step !== to.step);
    const wanted = { nodes: steps.map((step) => toArrange(made, step)), edges };
    if (steps.length - fixed.size <= made.most) return { parent, toArrange: wanted };
    found = layered(wanted);
  }
  const places = new Map([...found, ...fixed]);
  for (const { key } of steps) if (fixed.size > 0 && !fixed.has(key)) keepFree(made, places, key);
  return places;
}

function toArrange(made: PlacementParts, step: CanvasStep): ToArrange['nodes'][number] {
  const size = made.sizes.get(step.key) ?? { width: 0, height: made.height };
  const height = step.open ? GROUP_HEAD + GROUP_EDGE : size.height;
  const ports = (all: readonly CanvasPort[]) => {
    const shown = shownPorts(all);
    return shown.map(({ name }, index) => ({ name, y: portAt(index, shown.length, height) }));
  };
  return { id: step.key, size, inputs: ports(step.inputs), outputs: ports(step.outputs) };
}

function besideOthers(
  made: PlacementParts,
  steps: readonly CanvasStep[],
  fixed: ReadonlyMap<string, Point>,
): ReadonlyMap<string, Point> {
  const places = new Map(fixed);
  for (const { key } of steps) {
    if (places.has(key)) continue;
    const before = made.graph.cables.find(({ from, to }) => to.step === key && places.has(from.step));
    const after = made.graph.cables.find(({ from, to }) => from.step === key && places.has(to.step));
    const width = made.sizes.get(key)?.width ?? 0;
    if (before) {
      const box = boxOf({ at: places, sizes: made.sizes }, before.from.step);
      places.set(key, { x: box.x + box.width + BESIDE, y: box.y });
    } else if (after) {
      const box = boxOf({ at: places, sizes: made.sizes }, after.to.step);
      places.set(key, { x: box.x - width - BESIDE, y: box.y });
    } else {
      const all = [...places.keys()].map((other) => boxOf({ at: places, sizes: made.sizes }, other));
      const left = Math.min(...all.map(({ x }) => x));
      places.set(key, { x: left, y: Math.max(...all.map(({ y, height }) => y + height)) + GAP });
    }
    keepFree(made, places, key);
  }
  return places;
}

/** Moves a step down until it covers no other one. */
function keepFree({ sizes }: Pick<PlacementParts, 'sizes'>, places: Map<string, Point>, key: string): void {
  const others = [...places.keys()].filter((other) => other !== key);
  for (let tries = 0; tries <= others.length; tries += 1) {
    const box = boxOf({ at: places, sizes }, key);
    const hit = others
      .map((other) => boxOf({ at: places, sizes }, other))
      .find((other) => covers(box, other));
    if (hit === undefined) return;
    places.set(key, { x: box.x, y: hit.y + hit.height + GAP });
  }
}

const covers = (one: Point & Size, other: Point & Size): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** The lower edge of all steps that a cable back passes, relative to the whole workflow. */
export function lowestBetween(graph: CanvasGraph, placement: Placement, cable: CanvasCable): number {
  const from = boxIn(placement, cable.from.step);
  const to = boxIn(placement, cable.to.step);
  const [left, right] = [Math.min(from.x, to.x), Math.max(from.x + from.width, to.x + to.width)];
  const passed = graph.steps
    .filter(({ parent }) => parent === cable.parent)
    .map(({ key }) => boxIn(placement, key))
    .filter(({ x, width }) => x < right && x + width > left)
    .sort((one, other) => one.y - other.y);
  let lowest = Math.max(from.y + from.height, to.y + to.height);
  // Between two steps below each other there must be room on both sides of the cable.
  for (const { y, height } of passed)
    if (y < lowest + 2 * BELOW + ROOM) lowest = Math.max(lowest, y + height);
  return lowest + BELOW + offsetOf(placement, cable.parent);
}

/** Distance of a cable back from the steps above it. */
const BELOW = 26;
const ROOM = 24;

const boxIn = ({ at, sizes }: Placement, key: string): Point & Size => ({
  ...(at.get(key) ?? { x: 0, y: 0 }),
  ...(sizes.get(key) ?? { width: 0, height: 0 }),
});

/** The vertical offset of a body's steps, relative to the whole workflow. */
function offsetOf({ at }: Placement, parent: string | null): number {
  let down = 0;
  for (let key = parent ?? ''; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('/'))))
    down += at.get(key)?.y ?? 0;
  return down;
}

/** Everything that a placement depends on, as a text: equal texts mean equal positions. */
export const placementKey = ({ steps, cables }: CanvasGraph, height: number): string =>
  JSON.stringify([
    height,
    steps.map(({ key, step, open, inputs, outputs }) => [
      ...[key, step?.position ?? null, open],
      ...[shownPorts(inputs).map(({ name }) => name), shownPorts(outputs).map(({ name }) => name)],
    ]),
    cables.map(({ key, back }) => [key, back]),
  ]);

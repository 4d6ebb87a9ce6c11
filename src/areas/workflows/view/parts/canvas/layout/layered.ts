import type { CanvasCable } from '../graph/graph';
import type { Size } from '../graph/ports';

interface Drawn {
  readonly nodes: readonly { readonly id: string; readonly size: Size }[];
  readonly edges: readonly Pick<CanvasCable, 'from' | 'to'>[];
}

interface Corner {
  readonly x: number;
  readonly y: number;
}

const BETWEEN_LAYERS = 64;
const BETWEEN_STEPS = 40;
/** The number of steps in a row of those without cables, below the others. */
const IN_ROW = 6;
/** More passes over the layers change little. */
const PASSES = 4;

interface Node {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly before: Node[];
  readonly after: Node[];
  layer: number;
  /** The place within its layer. */
  at: number;
  /** The upper edge. */
  y: number;
}

/**
 * Layers from left to right, for many steps at once: linear in steps and cables apart from sorting. `arrange`
 * crosses fewer cables, but its time grows with the square of the steps.
 */
export function layered({ nodes, edges }: Drawn): ReadonlyMap<string, Corner> {
  const all = joined(nodes, edges);
  const wired = all.filter(({ before, after }) => before.length + after.length > 0);
  const layers = layersOf(wired);
  for (let pass = 0; pass < PASSES; pass += 1) {
    order(layers, 'before');
    order(layers.toReversed(), 'after');
  }
  order(layers, 'before');
  for (const layer of layers) stack(layer, () => null);
  for (let pass = 0; pass < PASSES; pass += 1) {
    for (const layer of layers.toReversed()) stack(layer, ({ after }) => middleOf(after));
    for (const layer of layers) stack(layer, ({ before }) => middleOf(before));
  }
  return pointsOf(
    layers,
    all.filter(({ before, after }) => before.length + after.length === 0),
  );
}

function joined(nodes: Drawn['nodes'], edges: Drawn['edges']): Node[] {
  const byId = new Map(
    nodes.map(({ id, size: { width, height } }, at): [string, Node] => [
      id,
      { id, width, height, before: [], after: [], layer: 0, at, y: 0 },
    ]),
  );
  for (const { from, to } of edges) {
    const [source, target] = [byId.get(from.step), byId.get(to.step)];
    if (source === undefined || target === undefined || source.after.includes(target)) continue;
    source.after.push(target);
    target.before.push(source);
  }
  return [...byId.values()];
}

/** Each node is in the layer after the last of those before it. A circle is cut where it closes. */
function layersOf(nodes: readonly Node[]): Node[][] {
  const open = new Map(nodes.map((node) => [node, node.before.length]));
  let ready = nodes.filter(({ before }) => before.length === 0);
  while (open.size > 0) {
    if (ready.length === 0) ready = [...open.keys()].slice(0, 1);
    const next: Node[] = [];
    for (const node of ready) {
      open.delete(node);
      for (const target of node.after) {
        const left = open.get(target);
        if (left === undefined) continue;
        target.layer = Math.max(target.layer, node.layer + 1);
        open.set(target, left - 1);
        if (left === 1) next.push(target);
      }
    }
    ready = next;
  }
  const layers: Node[][] = [];
  for (const node of nodes) {
    const layer = layers[node.layer] ?? [];
    layer.push(node);
    layers[node.layer] = layer;
  }
  for (const layer of layers) for (const [at, node] of layer.entries()) node.at = at;
  return layers;
}

/** Sorts each layer by the mean place of the neighbours on one side; steps without any keep their place. */
function order(layers: readonly Node[][], side: 'before' | 'after'): void {
  for (const layer of layers) {
    const wanted = new Map(layer.map((node) => [node, mean(node[side].map(({ at }) => at)) ?? node.at]));
    layer.sort((one, other) => (wanted.get(one) ?? 0) - (wanted.get(other) ?? 0) || one.at - other.at);
    for (const [at, node] of layer.entries()) node.at = at;
  }
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

const middleOf = (nodes: readonly Node[]): number | null =>
  mean(nodes.map(({ y, height }) => y + height / 2));

interface Block {
  readonly nodes: Node[];
  /** Where its upper edge should be, by its nodes. */
  wanted: number;
  height: number;
}

/** Places a layer's nodes as close as possible to where each should be, in order and without overlaps. */
function stack(layer: readonly Node[], middle: (node: Node) => number | null): void {
  const blocks: Block[] = [];
  for (const node of layer) {
    const around = middle(node);
    let block: Block = {
      nodes: [node],
      wanted: around === null ? node.y : around - node.height / 2,
      height: node.height,
    };
    for (let above = blocks.at(-1); above !== undefined; above = blocks.at(-1)) {
      if (above.wanted + above.height + BETWEEN_STEPS <= block.wanted) break;
      blocks.pop();
      block = merged(above, block);
    }
    blocks.push(block);
  }
  for (const { nodes, wanted } of blocks) {
    let y = wanted;
    for (const node of nodes) {
      node.y = y;
      y += node.height + BETWEEN_STEPS;
    }
  }
}

function merged(above: Block, below: Block): Block {
  const shifted = below.wanted - above.height - BETWEEN_STEPS;
  const [many, more] = [above.nodes.length, below.nodes.length];
  above.nodes.push(...below.nodes);
  return {
    nodes: above.nodes,
    wanted: (above.wanted * many + shifted * more) / (many + more),
    height: above.height + BETWEEN_STEPS + below.height,
  };
}

function pointsOf(layers: readonly Node[][], alone: readonly Node[]): Map<string, Corner> {
  const points = new Map<string, Corner>();
  const all = layers.flat();
  const top = all.reduce((least, { y }) => Math.min(least, y), 0);
  let x = 0;
  for (const layer of layers) {
    for (const node of layer) points.set(node.id, { x, y: Math.round(node.y - top) });
    x += layer.reduce((most, { width }) => Math.max(most, width), 0) + BETWEEN_LAYERS;
  }
  let y = all.reduce((most, node) => Math.max(most, node.y - top + node.height + BETWEEN_STEPS), 0);
  for (let first = 0; first < alone.length; first += IN_ROW) {
    const row = alone.slice(first, first + IN_ROW);
    let left = 0;
    for (const { id, width } of row) {
      points.set(id, { x: left, y: Math.round(y) });
      left += width + BETWEEN_LAYERS;
    }
    y += row.reduce((most, { height }) => Math.max(most, height), 0) + BETWEEN_STEPS;
  }
  return points;
}

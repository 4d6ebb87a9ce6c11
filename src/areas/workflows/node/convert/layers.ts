import { isRaw, listAt, type Raw, textAt } from './untrusted-value';

/**
 * Archon runs nodes in layers: it starts all nodes of a layer together, and the next layer when all of them have
 * ended. A layer is one behind the last node that it depends on.
 */
export class Layers {
  readonly #layers: number[][] = [];
  readonly #layerOf: number[] = [];
  readonly #before: readonly (readonly number[])[];
  readonly #unknown: readonly (readonly string[])[];

  constructor(readonly nodes: readonly Raw[]) {
    const known = new Map(nodes.map((node, index) => [textAt(node, 'id') ?? '', index]));
    const wanted = nodes.map((node) => listAt(node, 'depends_on').map(String));
    this.#before = wanted.map((ids) => ids.flatMap((id) => known.get(id) ?? []));
    this.#unknown = wanted.map((ids) => ids.filter((id) => !known.has(id)));
    nodes.forEach((_, index) => {
      const layer = this.#place(index, new Set());
      const nodesThere = this.#layers[layer] ?? [];
      nodesThere.push(index);
      this.#layers[layer] = nodesThere;
    });
  }

  layerOf = (index: number): number => this.#layerOf[index] ?? 0;

  /** Empty where there is no such layer. */
  at = (layer: number): readonly number[] => this.#layers[layer] ?? [];

  all = (): readonly (readonly number[])[] => this.#layers.map((layer) => layer ?? []);

  before = (index: number): readonly number[] => this.#before[index] ?? [];

  /** The ids after `depends_on` that no node has. */
  unknown = (index: number): readonly string[] => this.#unknown[index] ?? [];

  /** The nodes that have succeeded whenever this one runs. */
  succeeded(index: number, found = new Set<number>()): ReadonlySet<number> {
    const node = this.nodes[index];
    const rule = (isRaw(node) ? textAt(node, 'trigger_rule') : null) ?? 'all_success';
    const before = this.before(index);
    const one = before.length === 1 && rule !== 'all_done';
    if (rule !== 'all_success' && !one) return found;
    for (const other of before) {
      if (found.has(other)) continue;
      found.add(other);
      this.succeeded(other, found);
    }
    return found;
  }

  /** A cycle, which the plan reports, ends at the node with which it began. */
  #place(index: number, around: Set<number>): number {
    const known = this.#layerOf[index];
    if (known !== undefined || around.has(index)) return known ?? 0;
    around.add(index);
    const layer = Math.max(-1, ...this.before(index).map((other) => this.#place(other, around))) + 1;
    around.delete(index);
    this.#layerOf[index] = layer;
    return layer;
  }
}

import { RESERVED_IDS } from '../../../core/reference/reference';
import { listAt, type Raw, rawAt, textAt } from './untrusted-value';

/** The order of steps, from the nodes' dependencies and their texts' references. */
export class Graph {
  /** Muster ids by the file's ids. */
  readonly ids = new Map<string, string>();
  /** The fields declared by an output_format, by Muster id. */
  readonly fields = new Map<string, readonly string[]>();
  readonly #order: string[] = [];
  readonly #before = new Map<string, Set<string>>();

  constructor(nodes: readonly Raw[]) {
    const taken = new Set<string>();
    nodes.forEach((node, index) => {
      const original = textAt(node, 'id') ?? `node-${index + 1}`;
      let id = original.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 60);
      if (!/^[A-Za-z_]/.test(id) || RESERVED_IDS.has(id)) id = `step-${id}`;
      while (taken.has(id)) id = `${id}-2`;
      taken.add(id);
      this.ids.set(original, id);
      this.#order.push(id);
      this.#before.set(id, new Set());
      const properties = rawAt(rawAt(node, 'output_format') ?? {}, 'properties');
      if (properties !== null) this.fields.set(id, Object.keys(properties));
    });
    nodes.forEach((node, index) => {
      for (const other of listAt(node, 'depends_on')) {
        const from = this.ids.get(String(other));
        if (from !== undefined) this.#before.get(this.idOf(index))?.add(from);
      }
    });
  }

  idOf = (index: number): string => this.#order[index] ?? '';

  has = (id: string): boolean => this.#before.has(id);

  /** Makes a step follow another one; false if it already precedes it. */
  needs(id: string, other: string): boolean {
    if (this.#reaches(id, other)) return true;
    if (id === other || this.#reaches(other, id)) return false;
    this.#before.get(id)?.add(other);
    return true;
  }

  #reaches(from: string, wanted: string, seen = new Set<string>()): boolean {
    for (const one of this.#before.get(from) ?? []) {
      if (one === wanted) return true;
      if (seen.has(one)) continue;
      seen.add(one);
      if (this.#reaches(one, wanted, seen)) return true;
    }
    return false;
  }

  cables = (): [string, string][] =>
    this.#order.flatMap((to) =>
      [...(this.#before.get(to) ?? [])].map((from): [string, string] => [from, to]),
    );
}

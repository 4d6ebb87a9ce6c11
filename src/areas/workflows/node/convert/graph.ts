import { RESERVED_IDS } from '../../core/reference/reference';
import { listAt, type Raw, rawAt, textAt } from './untrusted-value';

/** The order of steps, from the nodes' dependencies and their texts' references. */
export class Graph {
  /** Muster ids by the file's ids. */
  readonly ids = new Map<string, string>();
  /** The fields declared by an output_format, by Muster id. */
  readonly fields = new Map<string, readonly string[]>();
  readonly #order: string[] = [];
  readonly #before = new Map<string, Set<string>>();
  /** Cables that carry a conversation, by the step that continues it. */
  readonly #sessions = new Map<string, string>();

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

  /** Makes a step follow another one, if it does not yet. */
  needs(id: string, other: string): Precedence {
    if (this.#reaches(id, other)) return 'already';
    if (id === other || this.#reaches(other, id)) return 'impossible';
    this.#before.get(id)?.add(other);
    return 'added';
  }

  precedes = (other: string, id: string): boolean => this.#reaches(id, other);

  /** A step continues the conversation of one that comes before it. */
  continues(id: string, from: string): void {
    this.#before.get(id)?.add(from);
    this.#sessions.set(id, from);
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

  cables = (): { from: string; to: string }[] =>
    this.#order.flatMap((to) =>
      [...(this.#before.get(to) ?? [])].map((from) =>
        this.#sessions.get(to) === from
          ? { from: `${from}.data_out`, to: `${to}.data_in` }
          : { from: `${from}.signal_out`, to: `${to}.signal_in` },
      ),
    );
}

/** Whether a step precedes another: it did, it does now, or it cannot because it comes after it. */
export type Precedence = 'already' | 'added' | 'impossible';

import type { WorkflowDefinition } from '@areas/workflows/contract/definition';

type Graph = Pick<WorkflowDefinition, 'steps' | 'cables'>;

interface OrderedStep {
  readonly id: string;
  /** The longest path from a start, ignoring cables that lead back. */
  readonly depth: number;
}

const stepOf = (ref: string): string => ref.slice(0, ref.indexOf('.'));

/** Steps in the order of the graph: each after its dependencies, otherwise in the order of the file. */
export function graphOrder({ steps, cables }: Graph): OrderedStep[] {
  const known = new Set(steps.map((step) => step.id));
  const depth = new Map<string, number>();
  const left = new Set(known);
  const before = (id: string): string[] =>
    cables
      .filter((cable) => stepOf(cable.to) === id && known.has(stepOf(cable.from)))
      .map((cable) => stepOf(cable.from));
  const order: OrderedStep[] = [];
  while (left.size > 0) {
    const waiting = [...left];
    // In a cycle, the step that is first in the file comes first.
    const next =
      waiting.find((id) => before(id).every((other) => !left.has(other) || other === id)) ?? waiting[0];
    if (next === undefined) break;
    left.delete(next);
    const depths = before(next).map((other) => (depth.get(other) ?? -1) + 1);
    const mine = Math.max(0, ...depths);
    depth.set(next, mine);
    order.push({ id: next, depth: mine });
  }
  return order;
}

/** The incoming and outgoing cables of a step. */
export function cablesOf({ cables }: Graph, id: string) {
  return {
    into: cables.filter((cable) => stepOf(cable.to) === id),
    from: cables.filter((cable) => stepOf(cable.from) === id),
  };
}

export const portOf = (ref: string): string => ref.slice(ref.indexOf('.') + 1);

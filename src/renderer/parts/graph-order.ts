import type { WorkflowDefinition } from '@contract/workflow/definition';

type Graph = Pick<WorkflowDefinition, 'steps' | 'cables'>;

export interface OrderedStep {
  readonly id: string;
  /** The longest way from a beginning, without what leads back. */
  readonly depth: number;
}

const stepOf = (ref: string): string => ref.slice(0, ref.indexOf('.'));

/** Steps as the graph runs them: each after what it depends on, else in the order of the file. */
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
    // In a circle something must come first: the step that stands first in the file.
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

/** Cables that arrive at a step and that leave it. */
export function cablesOf({ cables }: Graph, id: string) {
  return {
    into: cables.filter((cable) => stepOf(cable.to) === id),
    from: cables.filter((cable) => stepOf(cable.from) === id),
  };
}

export const portOf = (ref: string): string => ref.slice(ref.indexOf('.') + 1);

import { kindOf } from './kinds';
import { Layers } from './layers';
import type { ForeignWorkflow } from './node-context';
import { isRaw, listAt, numberAt, type Raw, rawAt, textAt } from './untrusted-value';

/** Archon's default for the items of a `fan_out`. */
export const FAN_OUT_PARALLEL = 5;
const DEEPEST = 6;

type Find = (name: string) => ForeignWorkflow | null;

/** How many nodes Archon may run at the same time: those of its widest layer, with what is inside them. */
export function widest(nodes: readonly Raw[], workflow: Find, depth = 0): number {
  const widths = new Layers(nodes)
    .all()
    .map((layer) => layer.reduce((sum, index) => sum + widthOf(nodes[index] ?? {}, workflow, depth), 0));
  return Math.max(1, ...widths);
}

function widthOf(node: Raw, workflow: Find, depth: number): number {
  if (depth >= DEEPEST) return 1;
  const inside = (owner: Raw | null) =>
    widest(listAt(owner ?? {}, 'nodes').filter(isRaw), workflow, depth + 1);
  const kind = kindOf(node);
  if (kind === 'loop_group') return inside(rawAt(node, kind));
  if (kind !== 'include' && kind !== 'workflow') return 1;
  const called = inside(workflow(textAt(node, kind) ?? '')?.document ?? null);
  const fanOut = rawAt(node, 'fan_out');
  return fanOut === null
    ? called
    : called * Math.max(1, numberAt(fanOut, 'max_parallel') ?? FAN_OUT_PARALLEL);
}

import { useEffect, useMemo, useState } from 'react';
import type { StepNode } from './step-node';

/** Elements that one frame can make without a noticeable pause. */
const IN_A_FRAME = 50;

interface Gradual {
  /** All nodes; those without an element are hidden. */
  readonly nodes: StepNode[];
  /** The hidden ones: their shapes are drawn instead. */
  readonly pending: readonly StepNode[];
}

const NONE: readonly StepNode[] = [];
/** Hidden nodes stay the same objects: React Flow then takes over only those that are shown next. */
const hidden = new WeakMap<StepNode, StepNode>();

function hiddenAs(node: StepNode): StepNode {
  const known = hidden.get(node) ?? { ...node, hidden: true };
  hidden.set(node, known);
  return known;
}

/** The nodes while the first `count` of them have elements, and those that are selected. */
export function gradually(all: StepNode[], count: number): Gradual {
  if (count >= all.length) return { nodes: all, pending: NONE };
  const isShown = (node: StepNode, index: number) => index < count || node.selected === true;
  return {
    nodes: all.map((node, index) => (isShown(node, index) ? node : hiddenAs(node))),
    pending: all.filter((node, index) => !isShown(node, index)),
  };
}

/**
 * A large workflow that opens as shapes is painted as shapes at once. The elements of its steps take most of the time of
 * its opening, so they are made in the frames after that, some in each.
 */
export function useGradualNodes(all: StepNode[], isShape: boolean): Gradual {
  const [count, setCount] = useState(isShape ? 0 : Number.POSITIVE_INFINITY);
  const isWhole = !isShape || count >= all.length;
  useEffect(() => {
    if (isWhole) {
      // Steps that are added later are made at once.
      setCount(Number.POSITIVE_INFINITY);
      return;
    }
    const frame = requestAnimationFrame(() => setCount(count + IN_A_FRAME));
    return () => cancelAnimationFrame(frame);
  }, [isWhole, count]);
  return useMemo(() => gradually(all, isWhole ? Number.POSITIVE_INFINITY : count), [all, isWhole, count]);
}

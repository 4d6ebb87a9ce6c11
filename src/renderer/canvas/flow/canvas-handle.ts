import { useReactFlow, useStore } from '@xyflow/react';
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import type { CanvasGraph } from '../graph/graph';
import type { Placement, Point } from '../layout/place';
import type { CableEdge } from './cable-edge';
import type { StepNode } from './step-node';
import type { KeptViewport } from './use-viewport';

export interface CanvasHandle {
  readonly fit: () => void;
  readonly zoom: (by: number) => void;
  /** Brings a step into sight. */
  readonly show: (key: string) => void;
  /** The middle of what is seen, as a place of the workflow. */
  readonly middle: () => Point;
}

/** How all of a workflow is brought into sight, with the steps whose elements are not made yet. */
export const FIT = { padding: 0.12, maxZoom: 1, includeHiddenNodes: true };

interface HandleParts {
  readonly handle: RefObject<CanvasHandle | null>;
  readonly graph: CanvasGraph;
  readonly placement: Placement;
  readonly viewport: KeptViewport;
}

export function useCanvasHandle({ handle, placement, graph, viewport }: HandleParts): void {
  const flow = useReactFlow<StepNode, CableEdge>();
  const box = useStore((state) => state.domNode);
  useImperativeHandle(
    handle,
    () => ({
      fit: () => {
        viewport.onFit();
        void flow.fitView(FIT);
      },
      zoom: (by) => {
        viewport.touched.current = true;
        void flow.zoomTo(flow.getZoom() * by);
      },
      middle: () => {
        const { left, top, width, height } = (box ?? document.body).getBoundingClientRect();
        return flow.screenToFlowPosition({ x: left + width / 2, y: top + height / 2 });
      },
      show: (key) => {
        const node = flow.getInternalNode(key);
        const size = placement.sizes.get(key);
        if (node === undefined || size === undefined) return;
        const { x, y } = node.internals.positionAbsolute;
        const { left, top, width, height } = (box ?? document.body).getBoundingClientRect();
        const zoom = flow.getZoom();
        const from = flow.flowToScreenPosition({ x, y });
        const inside =
          from.x > left + 24 &&
          from.y > top + 56 &&
          from.x + size.width * zoom < left + width - 24 &&
          from.y + size.height * zoom < top + height - 24;
        if (inside && zoom >= 0.4) return;
        const group = graph.steps.find((step) => step.key === key)?.open === true;
        const down = group ? 60 : size.height / 2;
        viewport.touched.current = true;
        void flow.setCenter(x + Math.min(size.width, 400) / 2, y + down, { zoom: Math.max(zoom, 0.6) });
      },
    }),
    [flow, box, placement, graph, viewport],
  );
}

interface FittedProps {
  readonly viewport: KeptViewport;
  /** Brings the active step into sight. */
  readonly show: () => void;
}

/** Keeps the whole workflow in sight when the canvas is resized; once the operator works on it, the active step. */
export function Fitted({ viewport, show }: FittedProps) {
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const sized = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new size moves the view
  useEffect(() => {
    if (width === 0 || height === 0) return;
    // The first size is that of a canvas which is shown as it was, unless another step was chosen since.
    const asBefore = !sized.current && viewport.isSame;
    sized.current = true;
    if (!viewport.touched.current) void flow.fitView(FIT);
    else if (!asBefore) show();
  }, [width, height]);
  return null;
}

import { useReactFlow, useStore, type Viewport } from '@xyflow/react';
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import type { Size } from '../graph/ports';
import type { Placement } from '../layout/place';
import type { CableEdge } from './cable-edge';
import { FIT } from './initial-view';
import { viewWith } from './step-in-view';
import type { StepNode } from './step-node';
import type { KeptViewport } from './use-viewport';

export interface CanvasHandle {
  readonly fit: () => void;
  readonly zoom: (by: number) => void;
  /** Scrolls to a step. */
  readonly show: (key: string) => void;
}

interface HandleParts {
  readonly handle: RefObject<CanvasHandle | null>;
  readonly placement: Placement;
  readonly viewport: KeptViewport;
}

export function useCanvasHandle({ handle, placement, viewport }: HandleParts): void {
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
      show: (key) => {
        const node = flow.getInternalNode(key);
        const size = placement.sizes.get(key);
        if (node === undefined || size === undefined) return;
        const next = viewWith(
          { ...node.internals.positionAbsolute, ...size },
          flow.getViewport(),
          (box ?? document.body).getBoundingClientRect(),
        );
        if (next === null) return;
        viewport.touched.current = true;
        void flow.setViewport(next);
      },
    }),
    [flow, box, placement, viewport],
  );
}

interface FittedProps {
  readonly viewport: KeptViewport;
  readonly active: string | null;
  /** The step of a run that waits or works. */
  readonly busy: string | null;
  /** What is seen at first of a canvas of this size. */
  readonly viewOf: (size: Size) => Viewport;
  /** Brings the active step into sight. */
  readonly show: () => void;
}

/**
 * Keeps in sight what is seen at first, whatever size the canvas has, and follows a run that works; once the operator moved
 * the view, keeps the active step.
 */
export function Fitted({ viewport, active, busy, viewOf, show }: FittedProps) {
  const flow = useReactFlow<StepNode, CableEdge>();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const sized = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new size moves the view
  useEffect(() => {
    if (width === 0 || height === 0) return;
    // The first size is the initial one: the view is kept, unless another step was selected since.
    const asBefore = !sized.current && viewport.isSame;
    sized.current = true;
    if (!viewport.touched.current) void flow.setViewport(viewOf({ width, height }));
    else if (!asBefore) show();
  }, [width, height]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another step moves the view
  useEffect(() => {
    const moves = !viewport.touched.current && !viewport.whole.current && active !== null;
    if (moves && width > 0 && height > 0) void flow.setViewport(viewOf({ width, height }));
  }, [active]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another step moves the view
  useEffect(() => {
    const node = busy === null ? undefined : flow.getInternalNode(busy);
    if (node === undefined || viewport.touched.current || viewport.whole.current || active !== null) return;
    const { width: w = 0, height: h = 0 } = node.measured;
    const step = { ...node.internals.positionAbsolute, width: w, height: h };
    if (viewWith(step, flow.getViewport(), { width, height }) !== null)
      void flow.setViewport(viewOf({ width, height }));
  }, [busy]);
  return null;
}

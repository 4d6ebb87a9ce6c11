import type { Viewport } from '@xyflow/react';
import type { Size } from '../graph/ports';
import type { Point } from '../layout/place';
import { READABLE_ZOOM } from './sight';

/** A step is in sight where it keeps this distance from the edges, in pixels: the tools of the canvas stand above. */
const FREE = { left: 24, top: 56, right: 24, bottom: 24 };
/** A step that is brought into sight stands so much further inside. */
const INSIDE = 16;
const LEAST = 0.4;
/** Of an open group, its head and first steps are shown. */
const HEAD = { width: 400, height: 120 };

/**
 * The viewport that shows a step: null if it is visible already, shifted as little as possible if it is near, so that its
 * neighbours stay visible, and centered on it if it is far away.
 */
export function viewWith(step: Point & Size, view: Viewport, size: Size): Viewport | null {
  const { zoom } = view;
  const seen = { width: Math.min(step.width, HEAD.width), height: Math.min(step.height, HEAD.height) };
  const x = shiftOf(step.x * zoom + view.x, seen.width * zoom, [FREE.left, size.width - FREE.right]);
  const y = shiftOf(step.y * zoom + view.y, seen.height * zoom, [FREE.top, size.height - FREE.bottom]);
  if (x === 0 && y === 0 && zoom >= LEAST) return null;
  if (zoom >= LEAST && Math.abs(x) < size.width / 2 && Math.abs(y) < size.height / 2)
    return { x: view.x + x, y: view.y + y, zoom };
  const readable = Math.max(zoom, READABLE_ZOOM);
  return {
    x: size.width / 2 - (step.x + seen.width / 2) * readable,
    y: size.height / 2 - (step.y + seen.height / 2) * readable,
    zoom: readable,
  };
}

function shiftOf(from: number, length: number, [least, most]: readonly [number, number]): number {
  const over = from + length - most;
  if (from >= least && over <= 0) return 0;
  return from < least || length > most - least ? least + INSIDE - from : -INSIDE - over;
}

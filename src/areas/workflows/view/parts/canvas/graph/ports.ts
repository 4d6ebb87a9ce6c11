import type { CanvasPort, CanvasStep } from './graph';

const STEP_WIDTH = 216;
/** All steps have the same height, unless they have too many cables for it. */
export const STEP_HEIGHT = 56;
const FIRST_PORT = 14;
const BETWEEN = 11;
/** A step with more ports shows only connected ones; the others are in its list of ports. */
const MOST_SHOWN = 5;

/** Of ports without a cable, those that carry something come before signals and receipts. */
const RANK = { bundle: 0, signal: 1, receipt: 2 };

/** The ports that are drawn on the step itself. */
export function shownPorts(ports: readonly CanvasPort[]): readonly CanvasPort[] {
  if (ports.length <= MOST_SHOWN) return ports;
  const wired = ports.filter((port) => port.wired);
  const rest = Math.max(0, MOST_SHOWN - wired.length);
  const free = ports.filter((port) => !port.wired).sort((one, other) => RANK[one.kind] - RANK[other.kind]);
  const more = new Set(free.slice(0, rest));
  return ports.filter((port) => port.wired || more.has(port));
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export function sizeOf({ inputs, outputs }: Pick<CanvasStep, 'inputs' | 'outputs'>, height: number): Size {
  const most = Math.max(shownPorts(inputs).length, shownPorts(outputs).length);
  return { width: STEP_WIDTH, height: Math.max(height, 2 * FIRST_PORT + (most - 1) * BETWEEN) };
}

/** Distance of a port from the upper edge of its step. */
export function portAt(index: number, count: number, height: number): number {
  return count === 1 ? height / 2 : FIRST_PORT + (index * (height - 2 * FIRST_PORT)) / (count - 1);
}

/** The least distance of two names below each other: names are larger the further away they are seen. */
export const NAME_LINE = 20;

/** How far the name of a port is moved away from it, so that names of close ports stay readable. */
export function nameShift(index: number, count: number, height: number): number {
  if (count < 2) return 0;
  const between = (height - 2 * FIRST_PORT) / (count - 1);
  return (index - (count - 1) / 2) * Math.max(0, NAME_LINE - between);
}

import type { WindowState } from './bounds';

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How much of a window must be visible on a screen to be found again. */
const SEEN_WIDTH = 120;
const SEEN_HEIGHT = 60;

/**
 * The window's previous position, if it is still on a screen; otherwise only its size, and the system chooses
 * a position.
 */
export function placedOn(state: WindowState, screens: readonly Rectangle[]): WindowState {
  const { x, y, width, height, maximised } = state;
  const largest = screens.reduce(
    (best, one) => (one.width * one.height > best.width * best.height ? one : best),
    {
      x: 0,
      y: 0,
      width: 400,
      height: 300,
    },
  );
  const size = { width: Math.min(width, largest.width), height: Math.min(height, largest.height), maximised };
  if (x === undefined || y === undefined) return size;
  const seen = screens.some((screen) => {
    const across = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
    const down = Math.min(y + height, screen.y + screen.height) - Math.max(y, screen.y);
    // The title bar is at the top, so that edge must not be above the screen.
    return across >= SEEN_WIDTH && down >= SEEN_HEIGHT && y >= screen.y - 10;
  });
  return seen ? { ...size, x, y } : size;
}

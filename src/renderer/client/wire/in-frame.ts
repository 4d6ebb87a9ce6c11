import { FRAMELESS_MS } from '../../limits';

/**
 * Runs once in the next frame, before layout: the result is visible in that frame, and several runs in one
 * frame cost no more. If no frame is drawn, it runs a moment later.
 */
export function inFrame(run: () => void): void {
  let frame = 0;
  let late: ReturnType<typeof setTimeout> | undefined;
  const once = () => {
    cancelAnimationFrame(frame);
    clearTimeout(late);
    run();
  };
  frame = requestAnimationFrame(once);
  late = setTimeout(once, FRAMELESS_MS);
}

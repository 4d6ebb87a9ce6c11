import { FRAMELESS_MS } from '../../limits';

/**
 * Runs once in the next frame, before it is laid out: what is drawn then is seen in that frame, and more of the same
 * frame costs no more. Where nothing is drawn it runs a moment later all the same.
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

/** The pause after the first failure; it doubles with each. */
const FIRST_MS = 2_000;
/** A target that works again is reached within this time. */
const MOST_MS = 15 * 60_000;

/**
 * Milliseconds until a delivery is tried again: doubled with each try up to a quarter of an hour, of which up to a half
 * is left to chance, so that what failed together does not come back together.
 * @param tries How often it was tried, at least once.
 * @param chance From 0 to 1.
 * @param wanted What the target asked for, in milliseconds; heeded up to the same cap.
 */
export function pauseAfter(tries: number, chance: number, wanted: number | null): number {
  const whole = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(tries - 1, 20));
  const pause = Math.round(whole * (1 - chance / 2));
  return Math.min(MOST_MS, Math.max(pause, wanted ?? 0));
}

/** For what trying again soon does not mend. */
export const LONGEST_PAUSE_MS = MOST_MS;

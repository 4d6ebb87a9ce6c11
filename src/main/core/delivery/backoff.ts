import { DELIVERY_RETRY_MS, LONGEST_DELIVERY_RETRY_MS } from '../../limits/core';

/**
 * Milliseconds until a delivery is tried again: doubled with each try up to a quarter of an hour, of which up to a half
 * is left to chance, so that what failed together does not come back together.
 * @param tries How often it was tried, at least once.
 * @param chance From 0 to 1.
 * @param wanted What the target asked for, in milliseconds; heeded up to the same cap.
 */
export function pauseAfter(tries: number, chance: number, wanted: number | null): number {
  const whole = Math.min(LONGEST_DELIVERY_RETRY_MS, DELIVERY_RETRY_MS * 2 ** Math.min(tries - 1, 20));
  const pause = Math.round(whole * (1 - chance / 2));
  return Math.min(LONGEST_DELIVERY_RETRY_MS, Math.max(pause, wanted ?? 0));
}

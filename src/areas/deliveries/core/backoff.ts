import { DELIVERY_RETRY_MS, LONGEST_DELIVERY_RETRY_MS } from '@main/limits/core';

/**
 * Milliseconds until a delivery is retried. The delay doubles with each try up to a quarter of an hour; up to
 * half of it is random, so that failed deliveries do not all return at once.
 * @param tries Number of tries so far, at least 1.
 * @param chance From 0 to 1.
 * @param wanted Delay requested by the target, in milliseconds; honoured up to the same cap.
 */
export function pauseAfter(tries: number, chance: number, wanted: number | null): number {
  const fullPause = Math.min(LONGEST_DELIVERY_RETRY_MS, DELIVERY_RETRY_MS * 2 ** Math.min(tries - 1, 20));
  const pause = Math.round(fullPause * (1 - chance / 2));
  return Math.min(LONGEST_DELIVERY_RETRY_MS, Math.max(pause, wanted ?? 0));
}

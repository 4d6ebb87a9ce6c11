import { LONGEST_PLAYED_PAUSE_MS } from '@renderer/limits';

export const SPEEDS = [1, 2, 5, 10, 25, 100] as const;

interface PlayPosition {
  readonly seq: number;
  /** Time of the history that was played since that event. */
  readonly spent: number;
}

/** Where playing is after some more time of the history; `times` holds when each event happened, the first one first. */
export function played(times: readonly number[], from: PlayPosition, elapsed: number): PlayPosition {
  let { seq } = from;
  let spent = from.spent + elapsed;
  while (seq < times.length) {
    const pause = pauseAfter(times, seq);
    if (spent < pause) return { seq, spent };
    spent -= pause;
    seq += 1;
  }
  return { seq, spent: 0 };
}

/** The pause before the next event. A clock that was set back counts as no pause. */
function pauseAfter(times: readonly number[], seq: number): number {
  const here = times[seq - 1] ?? 0;
  return Math.min(Math.max((times[seq] ?? here) - here, 0), LONGEST_PLAYED_PAUSE_MS);
}

/** Whether playing shortens a pause in this history. */
export const hasLongPauses = (times: readonly number[]): boolean =>
  times.some((time, index) => index > 0 && time - (times[index - 1] ?? time) > LONGEST_PLAYED_PAUSE_MS);

import type { Unsteady } from '@contract/system/procedures';
import { DEATHS_WITHIN_MS, QUICK_DEATH_MS } from '../limits/main';

/*
 * Recognises a process that dies again and again but lives for a while each time, so that it is never given
 * up on for dying quickly. Pure: maps deaths and their times to a report.
 */

/** Number of deaths within the period below that is reported to the operator. */
const TIMES = 3;

export interface Ends {
  readonly times: readonly number[];
  readonly unsteady: Unsteady | null;
}

export const noEnds: Ends = { times: [], unsteady: null };

export interface End {
  readonly at: number;
  readonly livedMs: number;
  readonly why: string;
}

/** The state after one more unintended end. */
export function afterEnd(before: Ends, { at, livedMs, why }: End): Ends {
  const { unsteady } = before;
  if (unsteady !== null)
    return { ...before, unsteady: { ...unsteady, times: unsteady.times + 1, last: why } };
  const times = [...before.times.filter((time) => at - time < DEATHS_WITHIN_MS), at];
  const [since = at] = times;
  const often = times.length >= TIMES && livedMs >= QUICK_DEATH_MS;
  return { times, unsteady: often ? { times: times.length, since, last: why } : null };
}

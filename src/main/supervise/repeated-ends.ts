import type { Unsteady } from '@contract/system/procedures';
import { DEATHS_WITHIN_MS, QUICK_DEATH_MS } from '../limits/main';

/*
 * What dies again and again, though it lives for a while each time, so that no row of quick deaths ever ends it. Pure:
 * what happened and when goes in, what there is to say of it comes out.
 */

/** Deaths within the period below that the operator is told of. */
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

/** What is known after one more end that no one wanted. */
export function afterEnd(before: Ends, { at, livedMs, why }: End): Ends {
  const { unsteady } = before;
  if (unsteady !== null)
    return { ...before, unsteady: { ...unsteady, times: unsteady.times + 1, last: why } };
  const times = [...before.times.filter((time) => at - time < DEATHS_WITHIN_MS), at];
  const [since = at] = times;
  const often = times.length >= TIMES && livedMs >= QUICK_DEATH_MS;
  return { times, unsteady: often ? { times: times.length, since, last: why } : null };
}

import type { Unsteady } from '@contract/system/procedures';

/*
 * What dies again and again, though it lives for a while each time, so that no row of quick deaths ever ends it. Pure:
 * what happened and when goes in, what there is to say of it comes out.
 */

/** Deaths within the period below that the operator is told of. */
const TIMES = 3;
/** The time within which deaths count together. */
const WITHIN_MS = 600_000;
/** A life this long is steady again. */
export const STEADY_MS = 600_000;
/** Quick deaths in a row come to an end by themselves, and that is told of then. */
const QUICK_MS = 10_000;

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
  const times = [...before.times.filter((time) => at - time < WITHIN_MS), at];
  const [since = at] = times;
  const often = times.length >= TIMES && livedMs >= QUICK_MS;
  return { times, unsteady: often ? { times: times.length, since, last: why } : null };
}

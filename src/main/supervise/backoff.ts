/**
 * When a process that died is started again. Pure: what happened and when goes in, what to do next comes out.
 */
const FIRST_DELAY_MS = 250;
/** However often a process died, it is started again within this time. */
export const LONGEST_DELAY_MS = 10_000;
/** A life this long wipes the slate clean. */
const HEALTHY_MS = 60_000;
/** A life shorter than this is a quick death, and five of them in a row are enough. */
const QUICK_MS = 10_000;
const QUICK_DEATHS = 5;

export interface Deaths {
  /** Since the last healthy life. */
  readonly all: number;
  /** Of these, the quick ones in a row. */
  readonly quick: number;
}

export const noDeaths: Deaths = { all: 0, quick: 0 };

export type NextStart = { readonly kind: 'restart'; readonly delayMs: number } | { readonly kind: 'give-up' };

export function afterDeath(before: Deaths, livedMs: number): { deaths: Deaths; next: NextStart } {
  const known = livedMs >= HEALTHY_MS ? noDeaths : before;
  const quick = livedMs < QUICK_MS ? known.quick + 1 : 0;
  const deaths = { all: known.all + 1, quick };
  if (quick >= QUICK_DEATHS) return { deaths, next: { kind: 'give-up' } };
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (deaths.all - 1), LONGEST_DELAY_MS);
  return { deaths, next: { kind: 'restart', delayMs } };
}

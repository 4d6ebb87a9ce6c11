/** Decides when a dead process is restarted. Pure: maps deaths to the next action. */
import { HEALTHY_MS, LONGEST_RESTART_MS, QUICK_DEATH_MS, RESTART_MS } from '../limits/main';

const QUICK_DEATHS = 5;

export interface Deaths {
  /** Since the last healthy life. */
  readonly all: number;
  /** Of these, the consecutive quick ones. */
  readonly quick: number;
}

export const noDeaths: Deaths = { all: 0, quick: 0 };

export type NextStart = { readonly kind: 'restart'; readonly delayMs: number } | { readonly kind: 'give-up' };

export function afterDeath(before: Deaths, livedMs: number): { deaths: Deaths; next: NextStart } {
  const known = livedMs >= HEALTHY_MS ? noDeaths : before;
  const quick = livedMs < QUICK_DEATH_MS ? known.quick + 1 : 0;
  const deaths = { all: known.all + 1, quick };
  if (quick >= QUICK_DEATHS) return { deaths, next: { kind: 'give-up' } };
  const delayMs = Math.min(RESTART_MS * 2 ** (deaths.all - 1), LONGEST_RESTART_MS);
  return { deaths, next: { kind: 'restart', delayMs } };
}

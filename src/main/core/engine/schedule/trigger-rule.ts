import type { TriggerRule } from '@areas/workflows/contract/definition';

/**
 * The state of one incoming cable. `open`: its source is undecided. `missed`: the source ended without firing
 * this port, or was skipped. `failed`: the source failed, or was skipped because of a failure.
 */
export type Standing = 'open' | 'fired' | 'missed' | 'failed';
export type Standings = Record<Standing, number>;

export const noStandings = (): Standings => ({ open: 0, fired: 0, missed: 0, failed: 0 });

/** The rule's verdict for these counts of cables: `skip` as soon as open cables can no longer change it. */
export function verdict(
  rule: TriggerRule,
  { open, fired, missed, failed }: Standings,
): 'wait' | 'run' | 'skip' {
  switch (rule) {
    case 'all_success':
      if (failed + missed > 0) return 'skip';
      return open > 0 ? 'wait' : 'run';
    case 'one_success':
      if (open > 0) return 'wait';
      return fired > 0 || missed + failed === 0 ? 'run' : 'skip';
    case 'none_failed_min_one_success':
      if (failed > 0) return 'skip';
      if (open > 0) return 'wait';
      return fired > 0 || missed === 0 ? 'run' : 'skip';
    case 'all_done':
      return open > 0 ? 'wait' : 'run';
  }
}

/** Why the rule was not met, unless it is the default rule. */
export function unmetWords(
  rule: Exclude<TriggerRule, 'all_success' | 'all_done'>,
  { failed }: Standings,
): string {
  if (rule === 'one_success') return 'no step before it succeeded';
  return failed > 0 ? 'a step before it failed' : 'no step before it succeeded';
}

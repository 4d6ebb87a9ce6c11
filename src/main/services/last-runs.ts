import type { RunRow } from '@contract/run/procedures';
import type { Store } from '../core/ports/store';

/** More of those from before are not looked for: no one has as many at work. */
const MOST_BEFORE = 200;

export interface LastRuns {
  readonly rows: readonly RunRow[];
  /** There are earlier ones. */
  readonly more: boolean;
}

/**
 * The last runs, and behind them those from before that still go on or ask something, however long ago they began: what
 * works through a night stays in the lists, whatever was run meanwhile. Newest first.
 */
export function lastRuns(store: Pick<Store, 'runs'>, limit: number): LastRuns {
  const { rows, more } = store.runs({ limit, binned: false });
  const before = rows.at(-1)?.id;
  if (!more || before === undefined) return { rows, more };
  const still = store.runs({ limit: MOST_BEFORE, before, binned: false, goesOn: true }).rows;
  return { rows: [...rows, ...still], more };
}

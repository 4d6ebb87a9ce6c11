import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import type { Store } from '../../core/ports/store';

/** More of those from before are not looked for: no one has as many at work. */
const MOST_BEFORE = 200;

export interface LastRuns {
  readonly rows: readonly RunRow[];
  /** There are earlier ones. */
  readonly more: boolean;
}

/**
 * The last runs, and behind them those from before that still continue or ask something, however long ago they began: what
 * works through a night stays in the lists, whatever was run meanwhile. Newest first.
 */
export function lastRuns(store: Pick<Store, 'runs'>, limit: number): LastRuns {
  const { rows, more } = store.runs({ limit, binned: false });
  const before = rows.at(-1)?.id;
  if (!more || before === undefined) return { rows, more };
  const still = store.runs({ limit: MOST_BEFORE, before, binned: false, goesOn: true }).rows;
  return { rows: [...rows, ...still], more };
}

/** Among so many of the newest runs that of one workflow is looked for. */
const MOST_LOOKED_AT = 200;
/** Runs of the same name that are of another file cost a folding each. */
const MOST_FOLDED = 3;

interface Runs {
  readonly store: Pick<Store, 'runs'>;
  state(runId: number): RunState | null;
}

/** The newest run of a workflow file. */
export function lastRunOf(
  { store, state }: Runs,
  { projectId, file, name }: { readonly projectId: number; readonly file: string; readonly name: string },
): (Pick<RunRow, 'id' | 'name' | 'startedAt'> & { readonly state: RunState }) | null {
  const { rows } = store.runs({ limit: MOST_LOOKED_AT, binned: false });
  const named = rows.filter((row) => row.projectId === projectId && row.name === name);
  for (const { id, name, startedAt } of named.slice(0, MOST_FOLDED)) {
    const found = state(id);
    if (found?.sourceFile === file) return { id, name, startedAt, state: found };
  }
  return null;
}

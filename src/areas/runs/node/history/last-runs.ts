import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import type { Store } from '@main/core/ports/store/store';

/** Maximum older runs to look for: no one has more at work. */
const MOST_BEFORE = 200;

export interface LastRuns {
  readonly rows: readonly RunRow[];
  /** There are earlier ones. */
  readonly more: boolean;
}

/**
 * The latest runs, followed by older ones that still run or ask something, so that long-running ones stay in
 * the lists. Newest first.
 */
export function lastRuns(store: Pick<Store, 'runs'>, limit: number): LastRuns {
  const { rows, more } = store.runs({ limit, binned: false });
  const before = rows.at(-1)?.id;
  if (!more || before === undefined) return { rows, more };
  const still = store.runs({ limit: MOST_BEFORE, before, binned: false, unfinished: true }).rows;
  return { rows: [...rows, ...still], more };
}

/** The number of newest runs searched for one of a workflow. */
const MOST_LOOKED_AT = 200;
/** Each run with the same name but from another file costs a fold. */
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
  const named = rows.filter((row) => row.projectId === projectId && row.workflowName === name);
  for (const { id, name, startedAt } of named.slice(0, MOST_FOLDED)) {
    const found = state(id);
    if (found?.sourceFile === file) return { id, name, startedAt, state: found };
  }
  return null;
}

import { counted } from '@contract/counted';
import type { AppError } from '@contract/errors';
import type { Result } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';

export type BulkAct = 'bin' | 'restore' | 'cancel' | 'resume';

interface BulkWords {
  readonly verb: (runs: string) => string;
  readonly done: (runs: string) => string;
  readonly says: string;
  /** The act that takes it back. */
  readonly undo?: BulkAct;
}

export const bulkWords: Record<BulkAct, BulkWords> = {
  bin: {
    verb: (runs) => `Move ${runs} to the bin`,
    done: (runs) => `Moved ${runs} to the bin`,
    says: 'They can be restored from there.',
    undo: 'restore',
  },
  restore: {
    verb: (runs) => `Restore ${runs} from the bin`,
    done: (runs) => `Restored ${runs} from the bin`,
    says: 'They are listed with the other runs again.',
    undo: 'bin',
  },
  cancel: {
    verb: (runs) => `Cancel ${runs}`,
    done: (runs) => `Cancelled ${runs}`,
    says: 'Work in progress is interrupted, and its unfinished answers are lost. Files stay, and the runs can be resumed.',
  },
  resume: {
    verb: (runs) => `Resume ${runs}`,
    done: (runs) => `Resumed ${runs}`,
    says: 'Their agents continue where they stopped, which can cost tokens.',
  },
};

const allows: Record<BulkAct, (run: RunRow) => boolean> = {
  bin: (run) => run.binnedAt === null && (run.finishedAt !== null || run.status === 'unreadable'),
  restore: (run) => run.binnedAt !== null,
  cancel: (run) => run.binnedAt === null && run.finishedAt === null && run.status !== 'cancelling',
  resume: (run) =>
    run.binnedAt === null &&
    run.finishedAt !== null &&
    (run.status === 'failed' || run.status === 'cancelled'),
};

/** The runs that an act is possible for. */
export const allowed = (act: BulkAct, runs: readonly RunRow[]): readonly RunRow[] => runs.filter(allows[act]);

interface BulkOutcome {
  readonly done: readonly RunRow[];
  readonly error: AppError | null;
}

/** Acts on each run, also after one that is refused. Without the core, the rest would be refused too. */
export async function actOnAll(
  runs: readonly RunRow[],
  send: (runId: number) => Promise<Result<unknown>>,
): Promise<BulkOutcome> {
  const done: RunRow[] = [];
  let first: AppError | null = null;
  for (const run of runs) {
    const result = await send(run.id);
    if (result.ok) done.push(run);
    else first ??= result.error;
    if (!result.ok && result.error.code === 'unavailable') break;
  }
  if (first === null) return { done, error: null };
  const left = runs.length - done.length;
  const message =
    runs.length === 1
      ? first.message
      : `${counted(left, 'run')} of ${runs.length} stayed as before: ${first.message}`;
  return { done, error: { ...first, message } };
}

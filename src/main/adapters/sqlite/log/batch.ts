import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import { z } from 'zod';
import type { Append } from '../../../core/ports/ports';
import type { RuleWriter } from '../../../core/ports/rules';
import { type Db, reading, writing } from '../sql';
import type { Last } from './event-ranges';
import type { RunWriter } from './run-writer';

/** The result of an append: as expected by its caller, or a bug, which is thrown. */
export type Settled = { readonly result: Result<readonly StoredEvent[]> } | { readonly bug: unknown };

export interface BatchWriter {
  /** One transaction for all. */
  write(appends: readonly Append[]): Settled[];
  lastEventId(): number;
  /** Reserves ids that an import has written. */
  advance(count: number): void;
}

interface BatchParts {
  readonly lastEventId: number;
  readonly runs: RunWriter;
  readonly rules: Pick<RuleWriter, 'addRule'>;
  /** Written with the next commit of any writer. */
  readonly piggyback: { write(): void; committed(): void };
  readonly committed: () => void;
  /** The error to show, or null for a bug. */
  readonly failed: (fault: unknown) => AppError | null;
}

const foundSchema = z.object({ found: z.number() });

/** What one transaction has written so far; valid only after the commit. */
interface Draft {
  lastId: number;
  readonly runs: Map<number, { last: Last; state: RunState }>;
}

type Written = readonly [runId: number, last: Last, state: RunState];

/** Writes the row of each run of the transaction; `lasts` is as of the last commit. */
const rowsWritten = (runs: RunWriter, draft: Draft, lasts: ReadonlyMap<number, Last>): Written[] =>
  [...draft.runs].map(([runId, { last, state }]) => {
    const end = runs.settle(runId, { seq: last.seq, state, before: lasts.get(runId)?.end });
    return [runId, end === undefined ? last : { ...last, end }, state];
  });

export function createBatchWriter(
  db: Db,
  { runs, rules, piggyback, committed, failed, ...start }: BatchParts,
): BatchWriter {
  const begin = writing(db, 'begin immediate');
  const commit = writing(db, 'commit');
  const projects = reading(db, foundSchema, 'select 1 as found from projects where id = ?');
  const uids = reading(db, foundSchema, 'select 1 as found from runs where uid = ?');
  const lasts = new Map<number, Last>();
  let lastId = start.lastEventId;

  const lastOf = (runId: number, draft: Draft): Last | null =>
    draft.runs.get(runId)?.last ?? lasts.get(runId) ?? runs.lastOf(runId);

  function refusal(append: Append, last: Last | null): AppError | null {
    const { runId, expectedSeq, events } = append;
    const seq = last?.seq ?? 0;
    if (seq !== expectedSeq) {
      return appError(
        'conflict',
        `Run ${runId} is at event ${seq}, not at ${expectedSeq}: something else wrote to it.`,
      );
    }
    const first = events[0]?.event;
    if (seq > 0 || first === undefined) return null;
    if (first.type !== 'run.started') throw new Error(`run ${runId} begins with ${first.type}`);
    if (projects.get(first.projectId) === null)
      return appError('not_found', `There is no project ${first.projectId}.`);
    return uids.get(first.uid) === null ? null : appError('conflict', `There is a run ${first.uid} already.`);
  }

  function put(append: Append, last: Last | null, draft: Draft): readonly StoredEvent[] {
    const { runId, expectedSeq, events, state, rule } = append;
    let seq = expectedSeq;
    const stored = events.map(({ at, event }) => ({ id: ++draft.lastId, runId, seq: ++seq, at, event }));
    runs.write(stored, { state, last });
    if (rule !== undefined) rules.addRule(rule);
    if (stored.length > 0) draft.runs.set(runId, { last: { seq, offset: draft.lastId - seq }, state });
    return stored;
  }

  function attempt(appends: readonly Append[]): Settled[] {
    const draft: Draft = { lastId, runs: new Map() };
    begin.run();
    const settled = appends.map((append) => {
      const last = lastOf(append.runId, draft);
      const error = refusal(append, last);
      return { result: error === null ? ok(put(append, last, draft)) : err(error) };
    });
    const written = rowsWritten(runs, draft, lasts);
    piggyback.write();
    commit.run();
    piggyback.committed();
    lastId = draft.lastId;
    for (const [runId, last, state] of written) {
      if (state.status === 'finished') lasts.delete(runId);
      else lasts.set(runId, last);
    }
    return settled;
  }

  function write(appends: readonly Append[]): Settled[] {
    try {
      const settled = attempt(appends);
      committed();
      return settled;
    } catch (fault) {
      if (db.inTransaction) db.exec('rollback');
      const error = failed(fault);
      if (error !== null) return appends.map(() => ({ result: err(error) }));
      // A bug in one append must not affect the others.
      return appends.length === 1 ? [{ bug: fault }] : appends.flatMap((append) => write([append]));
    }
  }

  return {
    write,
    lastEventId: () => lastId,
    advance(count) {
      lastId += count;
    },
  };
}

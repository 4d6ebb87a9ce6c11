import { fail, ok, type Result } from '@contract/result';
import type { RunEvent, StoredEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { z } from 'zod';
import type { StoreWriter } from '../../../core/ports/store/store';
import { isConstraint, isSqliteError } from '../faults';
import type { BatchWriter } from '../log/batch';
import type { Counters } from '../log/counters';
import type { GroupLog } from '../log/event-log';
import { EVENTS_OF_RUN, type Last } from '../log/event-ranges';
import type { RunWriter } from '../log/run-writer';
import { atomically, type Db, reading, writing } from '../sql';

interface HistoryWriterParts {
  readonly runs: RunWriter;
  readonly log: GroupLog;
  readonly batches: BatchWriter;
  readonly counters: Counters;
}

export type HistoryWriter = Pick<StoreWriter, 'importRun' | 'binUnread' | 'endUnread' | 'purgeRun'>;

const foundSchema = z.object({ found: z.number() });
const binnedSchema = z.object({ binnedAt: z.number().nullable() });

export function historyWriter(db: Db, parts: HistoryWriterParts): HistoryWriter {
  const byUid = reading(db, foundSchema, 'select 1 as found from runs where uid = ?');
  const projects = reading(db, foundSchema, 'select 1 as found from projects where id = ?');
  const binned = reading(
    db,
    foundSchema,
    'select 1 as found from runs where id = ? and binned_at is not null',
  );
  const mark = writing(db, 'update runs set imported_to = ? where id = ?');
  const remove = writing(db, 'delete from runs where id = ?');
  const forget = writing(db, `delete from search where rowid in (select e.id from ${EVENTS_OF_RUN})`);

  function insert(events: readonly StoredEvent[], projectId: number): number {
    const runId = parts.log.nextRunId();
    const firstId = parts.batches.lastEventId() + 1;
    let state: RunState | null = null;
    let last: Last | null = null;
    for (const [index, { seq, at, event }] of events.entries()) {
      const withProject = event.type === 'run.started' ? { ...event, projectId } : event;
      const stored = { id: firstId + index, runId, seq, at, event: withProject };
      state = reduce(state, stored);
      parts.runs.write([stored], { state, last });
      last = { seq, offset: stored.id - seq };
    }
    if (state !== null) parts.runs.settle(runId, { seq: state.seq, state });
    mark.run(firstId + events.length - 1, runId);
    return runId;
  }

  function put(events: readonly StoredEvent[], projectId: number): Result<number> {
    try {
      const runId = atomically(db, () => insert(events, projectId));
      parts.batches.advance(events.length);
      return ok(runId);
    } catch (fault) {
      // Each event is valid by itself; whether they fit together shows when their rows are written.
      if (!isSqliteError(fault) || !isConstraint(fault)) throw fault;
      return fail(
        'import.invalid',
        'The history contradicts itself: two of its events have the same number.',
      );
    }
  }

  return {
    importRun(events, projectId) {
      const trouble = troubleOf(events);
      if (!trouble.ok) return trouble;
      if (byUid.get(trouble.value) !== null) {
        return fail('conflict', `The run ${trouble.value} already exists.`);
      }
      if (projects.get(projectId) === null) return fail('not_found', `There is no project ${projectId}.`);
      parts.log.flush();
      return put(events, projectId);
    },
    binUnread: unreadBin(db, parts),
    endUnread: unreadEnd(db, parts),
    purgeRun(runId) {
      parts.log.flush();
      if (binned.get(runId) === null) throw new Error(`run ${runId} is not in the bin`);
      atomically(db, () => {
        parts.counters.set('last_event', parts.batches.lastEventId());
        parts.counters.set('last_run', Math.max(parts.counters.get('last_run'), runId));
        forget.run(runId);
        remove.run(runId);
      });
    },
  };
}

/** Writes the event after the last one, whatever that is, and the run's row with it. */
function unreadBin(db: Db, { log, batches, runs }: HistoryWriterParts): StoreWriter['binUnread'] {
  const runRow = reading(db, binnedSchema, 'select binned_at as binnedAt from runs where id = ?');
  const bin = writing(db, 'update runs set binned_at = ? where id = ?');
  return (runId, binned, at) => {
    log.flush();
    const now = runRow.get(runId);
    const last = runs.lastOf(runId);
    if (now === null || last === null || (now.binnedAt !== null) === binned) return null;
    const stored: StoredEvent = {
      id: batches.lastEventId() + 1,
      runId,
      seq: last.seq + 1,
      at,
      event: { type: binned ? 'run.binned' : 'run.restored', by: 'operator' },
    };
    atomically(db, () => {
      runs.append([stored]);
      bin.run(binned ? at : null, runId);
    });
    batches.advance(1);
    return stored;
  };
}

const UNREAD = 'its history cannot be read';

/** Like `unreadBin`; also closes what waits for the operator in the run. */
function unreadEnd(db: Db, { log, batches, runs }: HistoryWriterParts): StoreWriter['endUnread'] {
  const unfinished = reading(
    db,
    foundSchema,
    'select 1 as found from runs where id = ? and finished_at is null',
  );
  const end = writing(
    db,
    `update runs set status = 'cancelled', outcome = 'cancelled', reason = ?, finished_at = ?, open_gates = 0,
       now = null where id = ?`,
  );
  const close = writing(
    db,
    `update gates set status = 'withdrawn', closed_at = ? where run_id = ? and closed_at is null`,
  );
  return (runId, at) => {
    log.flush();
    const last = runs.lastOf(runId);
    if (unfinished.get(runId) === null || last === null) return null;
    const stored: StoredEvent = {
      id: batches.lastEventId() + 1,
      runId,
      seq: last.seq + 1,
      at,
      event: { type: 'run.finished', outcome: 'cancelled', reason: UNREAD },
    };
    atomically(db, () => {
      runs.append([stored]);
      end.run(UNREAD, at, runId);
      close.run(at, runId);
    });
    batches.advance(1);
    return stored;
  };
}

/** The uid of a complete history: it begins with its start and has no gap. */
function troubleOf(events: readonly StoredEvent[]): Result<string> {
  const first = events[0];
  if (first?.event.type !== 'run.started') {
    return fail('import.invalid', 'The history does not start with the start of a run.');
  }
  const gap = events.findIndex(({ seq }, index) => seq !== index + 1);
  if (gap >= 0) return fail('import.invalid', `The history has a gap: event ${gap + 1} is missing.`);
  const second = secondStart(events);
  if (second !== null)
    return fail('import.invalid', `The history starts ${second.what} a second time, at event ${second.seq}.`);
  return ok(first.event.uid);
}

/** The first start of something that has started already. Other numbers are refused by the keys of their tables. */
function secondStart(events: readonly StoredEvent[]): { what: string; seq: number } | null {
  const begun = new Set<string>();
  for (const { seq, event } of events) {
    const what = startedBy(event);
    if (what === null) continue;
    if (begun.has(what)) return { what, seq };
    begun.add(what);
  }
  return null;
}

function startedBy(event: RunEvent): string | null {
  switch (event.type) {
    case 'run.started':
      return 'the run';
    case 'activation.started':
    case 'activation.adopted':
      return `activation ${event.activationId}`;
    case 'command.started':
      return `command ${event.commandId}`;
    default:
      return null;
  }
}

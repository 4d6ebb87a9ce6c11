import type { StoredEvent } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import type { Projections } from '../projections/index';
import { type Db, type SqlValue, type Write, writing } from '../sql';
import { createEventRanges, type Last } from './event-ranges';
import { eventTypes } from './event-types';
import { bodyOf, type StoredEvents } from './stored-events';

/** Writes events and derived rows, inside the caller's transaction. */
export interface RunWriter {
  /** Consecutive events of one run, which follow its event `last`. */
  write(
    stored: readonly StoredEvent[],
    after: { readonly state: RunState; readonly last: Last | null },
  ): void;
  /** Events only, without list rows. */
  append(stored: readonly StoredEvent[]): void;
  /** The run's own row, as of its last event. Returns what the row now says of its end, which was `before`. */
  settle(
    runId: number,
    as: { readonly seq: number; readonly state: RunState; readonly before?: string | undefined },
  ): string | undefined;
  lastOf(runId: number): Last | null;
}

interface RunWriterParts {
  readonly projections: Projections;
  readonly events: StoredEvents;
}

export function createRunWriter(db: Db, { projections, events }: RunWriterParts): RunWriter {
  const insert = eventInserter(db);
  const ranges = createEventRanges(db);
  return {
    write(stored, { state, last }) {
      // The projections first: they create a new run's row, which its events reference.
      for (const { id, runId, at, event } of stored) projections.project({ id, runId, at, state }, event);
      ranges.follow(stored, last);
      insert(stored);
    },
    append(stored) {
      ranges.follow(stored, ranges.lastOf(stored[0]?.runId ?? 0));
      insert(stored);
    },
    settle(runId, { seq, state, before }) {
      // The caller's state is live. If it includes more than was written (a later append of the same commit
      // was refused), the row is derived from what was written.
      const written = state.seq === seq ? state : replay(events.ofRun(runId, 0));
      return written === null ? undefined : projections.settle(runId, written, before);
    },
    lastOf: ranges.lastOf,
  };
}

const MAX_ROWS = 8;

/**
 * Several rows per statement take a third less time than single ones, most of which is the cost of calling
 * SQLite.
 */
function eventInserter(db: Db): (stored: readonly StoredEvent[]) => void {
  const types = eventTypes(db);
  const byCount: Write[] = [];
  for (let rows = 1; rows <= MAX_ROWS; rows++) {
    const values = Array(rows).fill('(?, ?, ?, ?, ?, ?)').join(', ');
    byCount[rows] = writing(db, `insert into events (id, run_id, seq, at, type, body) values ${values}`);
  }
  return (stored) => {
    for (let from = 0; from < stored.length; from += MAX_ROWS) {
      const some = stored.slice(from, from + MAX_ROWS);
      const values: SqlValue[] = [];
      for (const { id, runId, seq, at, event } of some)
        values.push(id, runId, seq, at, types(event.type), bodyOf(event));
      byCount[some.length]?.run(...values);
    }
  };
}

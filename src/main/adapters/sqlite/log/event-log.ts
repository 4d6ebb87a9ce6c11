import { err, fail, type Result } from '@contract/result';
import { firstEventFault } from '@contract/run/check-event';
import type { StoredEvent } from '@contract/run/events';
import { z } from 'zod';
import type { Append, EventLog } from '../../../core/ports/ports';
import { type Db, reading } from '../sql';
import type { BatchWriter, Settled } from './batch';
import type { StoredEvents } from './stored-events';

export interface GroupLog extends EventLog {
  /** Writes pending appends; later ones are refused. */
  close(): void;
}

interface EventLogParts {
  readonly batches: BatchWriter;
  readonly events: StoredEvents;
  readonly lastRunId: number;
}

interface Waiting {
  readonly append: Append;
  readonly settle: (settled: Settled) => void;
}

const idSchema = z.object({ id: z.number() });

/**
 * Group commit. The first append schedules the check phase of this turn of the event loop, which runs after
 * all its input and promises: everything appended until then shares the transaction. If nothing else happens,
 * that phase is microseconds away, so a single append does not wait.
 */
export function createEventLog(db: Db, { batches, events, lastRunId }: EventLogParts): GroupLog {
  // An unreadable run can be in the bin while still unfinished.
  const unfinished = reading(
    db,
    idSchema,
    'select id from runs where finished_at is null and binned_at is null order by id',
  );
  let waiting: Waiting[] = [];
  let scheduled: NodeJS.Immediate | null = null;
  let closed = false;
  let lastRun = lastRunId;

  function flush(): void {
    if (scheduled !== null) clearImmediate(scheduled);
    scheduled = null;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    const settled = batches.write(batch.map(({ append }) => append));
    for (const [index, one] of settled.entries()) batch[index]?.settle(one);
  }

  return {
    append(append) {
      return new Promise<Result<readonly StoredEvent[]>>((resolve, reject) => {
        const settle = (settled: Settled): void => {
          try {
            if ('bug' in settled || !settled.result.ok) append.refused?.();
            if ('bug' in settled) reject(settled.bug);
            else resolve(settled.result);
          } catch (cause) {
            reject(cause);
          }
        };
        if (closed) return settle({ result: fail('unavailable', 'The store is closed.') });
        const fault = firstEventFault(append.events);
        if (fault !== null) return settle({ result: err(fault) });
        waiting.push({ append, settle });
        scheduled ??= setImmediate(flush);
      });
    },
    read: (runId, afterSeq = 0) => events.ofRun(runId, afterSeq),
    unfinished: () => unfinished.all().map(({ id }) => id),
    nextRunId: () => ++lastRun,
    flush,
    close() {
      flush();
      closed = true;
    },
  };
}

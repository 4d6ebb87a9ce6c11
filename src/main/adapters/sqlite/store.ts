import { z } from 'zod';
import type { Store } from '../../core/ports/store/store';
import { StoreFault } from './faults';
import { createHealth, type Health } from './health';
import { createBatchWriter } from './log/batch';
import { createCounters, highestOf } from './log/counters';
import { createEventLog } from './log/event-log';
import { createRunWriter } from './log/run-writer';
import { createStoredEvents } from './log/stored-events';
import { sizeOf, walOf } from './opening/files';
import { createProjections } from './projections/index';
import { catalogReader } from './reader/catalog';
import { deliveryReader } from './reader/deliveries';
import { feedReader } from './reader/feed';
import { gateReader } from './reader/gates';
import { ruleReader } from './reader/rules';
import { runReader } from './reader/runs';
import { searchReader } from './reader/search';
import { spendReader } from './reader/spend';
import { terminalReader } from './reader/terminals';
import { createIndexer, type Indexer } from './search/indexer';
import { type Db, reading } from './sql';
import { startUpkeep } from './upkeep';
import { catalogWriter } from './writer/catalog';
import { deliveryWriter } from './writer/deliveries';
import { historyWriter } from './writer/history';
import { ruleWriter } from './writer/rules';
import { terminalRecorder } from './writer/terminals';
import { createWriter } from './writer/writer';

export interface StoreParts {
  readonly path: string;
  readonly now: () => number;
  readonly notices: Store['notices'];
  /** The connection is closed. `unfinished`: not all of the -wal is in the file. */
  readonly closed: (how: 'whole' | 'unfinished' | 'damaged') => void;
}

/** The store on an open connection with the latest schema. */
export function createStore(db: Db, { path, now, notices, closed }: StoreParts): Store {
  const health = createHealth(path, now);
  const counters = createCounters(db);
  const indexer = createIndexer(db, counters);
  const probe = () => counters.set('probed', now());
  const committed = (): void => {
    health.worked();
    upkeep.touched();
  };

  const highest = highestOf(db, counters);
  const guard = readGuard(health);
  const events = createStoredEvents(db, guard);
  const runs = createRunWriter(db, { projections: createProjections(db), events });
  const terminals = terminalRecorder(db, (work) => {
    try {
      work();
      committed();
    } catch (fault) {
      health.failed(fault);
      throw fault;
    }
  });
  const rules = ruleWriter(db);
  const batches = createBatchWriter(db, {
    lastEventId: highest.event,
    runs,
    rules,
    piggyback: terminals,
    committed,
    failed: health.failed,
  });
  const log = createEventLog(db, { batches, events, lastRunId: highest.run });
  const reader = guarded(createReader(db, searchedIndex({ indexer, health, log })), guard);
  const writer = createWriter({
    catalog: catalogWriter(db, now),
    rules,
    deliveries: deliveryWriter(db),
    history: historyWriter(db, { runs, log, batches, counters }),
    committed,
    failed: health.failed,
  });
  // Last, because its timers must not outlive a store whose creation failed.
  const upkeep = startUpkeep(db, { indexer, health, probe });
  let open = true;

  return {
    path,
    notices,
    log,
    ...reader,
    ...writer,
    noteTerminal: terminals.note,
    closeTerminals: terminals.closeAll,
    events: events.after,
    eventsWithoutHistory: events.eventsWithoutHistory,
    rawEvents: events.raw,
    lastEventId: batches.lastEventId,
    databaseBytes: () => sizeOf(path) + sizeOf(walOf(path)),
    freeBytes: freePages(db),
    health: health.current,
    onHealth: health.listen,
    close() {
      if (!open) return;
      open = false;
      log.close();
      terminals.close();
      upkeep.dispose();
      const whole = shut(db, health);
      closed(health.sound() ? (whole ? 'whole' : 'unfinished') : 'damaged');
    },
  };
}

/** Only for display: if it cannot be read, other reads report why. */
function freePages(db: Db): () => number {
  const free = reading(db, z.object({ freelist_count: z.number() }), 'pragma freelist_count');
  const size = reading(db, z.object({ page_size: z.number() }), 'pragma page_size').get()?.page_size ?? 0;
  return () => {
    try {
      return (free.get()?.freelist_count ?? 0) * size;
    } catch {
      return 0;
    }
  };
}

interface SearchedParts {
  readonly indexer: Indexer;
  readonly health: Health;
  readonly log: Pick<ReturnType<typeof createEventLog>, 'flush'>;
}

function searchedIndex({ indexer, health, log }: SearchedParts): Parameters<typeof searchReader>[1] {
  return {
    indexedTo: indexer.indexedTo,
    catchUp() {
      log.flush();
      try {
        indexer.catchUp();
      } catch (fault) {
        // On a full disk what is indexed can still be searched.
        if (health.failed(fault) === null) throw fault;
      }
      return indexer.behind();
    },
  };
}

function createReader(db: Db, index: Parameters<typeof searchReader>[1]) {
  const feed = feedReader(db);
  return {
    ...runReader(db),
    ...spendReader(db),
    ...gateReader(db),
    ...feed,
    // It is searched by the same index.
    feed(query: Parameters<typeof feed.feed>[0]) {
      if (query.search !== undefined) index.catchUp();
      return feed.feed(query);
    },
    ...searchReader(db, index),
    ...catalogReader(db),
    ...ruleReader(db),
    ...terminalReader(db),
    ...deliveryReader(db),
  };
}

/** Damage found by a read is reported, and checked at the next start, like damage found by a write. */
const readGuard =
  (health: Health) =>
  <T>(ask: () => T): T => {
    try {
      return ask();
    } catch (fault) {
      const error = health.failed(fault);
      throw error === null ? fault : new StoreFault(error, fault);
    }
  };

function guarded<R extends object>(reader: R, guard: ReturnType<typeof readGuard>): R {
  const asks = Object.entries(reader).map(([name, ask]: [string, (...given: unknown[]) => unknown]) => [
    name,
    (...given: unknown[]) => guard(() => ask(...given)),
  ]);
  return Object.assign({ ...reader }, Object.fromEntries(asks));
}

/** Whether the file is complete without its -wal. If not, the next start does the rest. */
function shut(db: Db, health: Health): boolean {
  try {
    db.pragma('wal_checkpoint(truncate)');
    return true;
  } catch (fault) {
    if (health.failed(fault) === null) throw fault;
    return false;
  } finally {
    db.close();
  }
}

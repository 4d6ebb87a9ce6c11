import { z } from 'zod';
import { INDEX_AFTER_MS, INDEX_PAUSE_MS, STORE_PROBE_MS, WAL_QUIET_MS } from '../../limits/core';
import type { Health } from './health';
import type { Indexer } from './search/indexer';
import { type Db, reading } from './sql';

/** Work between writes: the word index, checkpoints, and retries on a failing disk. */
interface Upkeep {
  /** Something was committed. */
  touched(): void;
  dispose(): void;
}

interface UpkeepParts {
  readonly indexer: Indexer;
  readonly health: Health;
  /** A small durable write. */
  readonly probe: () => void;
}
/** Fewer pages (4 MB) wait for later: a checkpoint costs two syncs. */
const CHECKPOINT_PAGES = 1000;

const checkpointSchema = z.object({ busy: z.number(), log: z.number(), checkpointed: z.number() });

/** A timer that is set at most once at a time, and does not keep the process alive. */
class Alarm {
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly ring: () => void) {}

  set(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.ring();
    }, ms).unref();
  }

  clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

export function startUpkeep(db: Db, { indexer, health, probe }: UpkeepParts): Upkeep {
  const pages = reading(db, checkpointSchema, 'pragma wal_checkpoint(noop)');
  let touchedAt = 0;

  const safely = (work: () => void): void => {
    try {
      work();
    } catch (fault) {
      if (health.failed(fault) === null) throw fault;
      retry.set(STORE_PROBE_MS);
    }
  };

  const index = new Alarm(() =>
    safely(() => {
      if (indexer.step()) index.set(INDEX_PAUSE_MS);
    }),
  );
  const quiet = new Alarm(() => {
    const waitMs = touchedAt + WAL_QUIET_MS - monotonicMs();
    if (waitMs > 0) quiet.set(waitMs);
    else safely(() => checkpoint(db, pages.get()));
  });
  const retry = new Alarm(() =>
    safely(() => {
      probe();
      health.worked();
      index.set(INDEX_AFTER_MS);
    }),
  );

  const deaf = health.listen(({ state }) => {
    if (state === 'failing') retry.set(STORE_PROBE_MS);
  });
  index.set(INDEX_AFTER_MS);
  return {
    touched() {
      touchedAt = monotonicMs();
      index.set(INDEX_AFTER_MS);
      quiet.set(WAL_QUIET_MS);
    },
    dispose() {
      deaf();
      for (const alarm of [index, quiet, retry]) alarm.clear();
    },
  };
}

/** Not `performance.now`: Node initialises it on first use, which would be in a start's first commit. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** Nothing waits for it: if a reader blocks it, more is left for the next one. */
function checkpoint(db: Db, pages: z.infer<typeof checkpointSchema> | null): void {
  if (pages === null || pages.log - pages.checkpointed < CHECKPOINT_PAGES) return;
  db.pragma('wal_checkpoint(passive)');
}

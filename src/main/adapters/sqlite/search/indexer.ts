import { z } from 'zod';
import { SEARCH_CATCH_UP_MS } from '../../../limits/core';
import { type Counters, createCounters } from '../log/counters';
import { atLeisure, type Db, reading, writing } from '../sql';
import { INDEXED_TEXT, IS_SEARCHED } from './texts';

/** Updates the word index after events, outside of their transactions. */
export interface Indexer {
  /** Indexes a few events; returns whether there are more. */
  step(): boolean;
  /** Indexes what is missing, for a bounded time. */
  catchUp(): void;
  /** How many events are not indexed. */
  behind(): number;
  indexedTo(): number;
}

/** Limits a step to a few milliseconds. */
const MAX_EVENTS = 400;
const MAX_BYTES = 200_000;

const countSchema = z.object({ count: z.number() });
const sizeSchema = z.object({ id: z.number(), bytes: z.number() });

export function createIndexer(db: Db, counters: Counters): Indexer {
  const ahead = reading(
    db,
    sizeSchema,
    `select id, octet_length(body) as bytes from events where id > ? order by id limit ${MAX_EVENTS}`,
  );
  const takeIn = writing(
    db,
    `insert into search (rowid, text) select e.id, ${INDEXED_TEXT} from events e
     where e.id > ? and e.id <= ? and ${IS_SEARCHED}`,
  );
  const remaining = reading(db, countSchema, 'select count(*) as count from events where id > ?');
  let cursor = counters.get('search_cursor');

  function step(): boolean {
    const rows = ahead.all(cursor);
    const end = boundary(rows);
    if (end === null) return false;
    atLeisure(db, () => {
      takeIn.run(cursor, end);
      counters.set('search_cursor', end);
    });
    cursor = end;
    return rows.length === MAX_EVENTS || rows.at(-1)?.id !== end;
  }

  return {
    step,
    catchUp() {
      const until = process.hrtime.bigint() + BigInt(SEARCH_CATCH_UP_MS) * 1_000_000n;
      while (step()) if (process.hrtime.bigint() > until) break;
    },
    behind: () => remaining.get(cursor)?.count ?? 0,
    indexedTo: () => cursor,
  };
}

/** Every event is indexed again, by the next steps. */
export function emptyIndex(db: Db): void {
  db.transaction(() => {
    db.exec("insert into search (search) values ('delete-all')");
    createCounters(db).set('search_cursor', 0);
  })();
}

/** The last event that still fits into a step; at least one. */
function boundary(rows: readonly z.infer<typeof sizeSchema>[]): number | null {
  let bytes = 0;
  let end: number | null = null;
  for (const row of rows) {
    bytes += row.bytes;
    if (end !== null && bytes > MAX_BYTES) break;
    end = row.id;
  }
  return end;
}

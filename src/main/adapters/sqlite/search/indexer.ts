import { z } from 'zod';
import type { Counters } from '../log/counters';
import { atLeisure, type Db, reading, writing } from '../sql';
import { INDEXED_TEXT, IS_SEARCHED } from './texts';

/** Updates the word index after events, outside of their transactions. */
export interface Indexer {
  /** Indexes a few events; returns whether there are more. */
  step(): boolean;
  indexedTo(): number;
}

/** Limits a step to a few milliseconds. */
const MAX_EVENTS = 400;
const MAX_BYTES = 200_000;

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
  let cursor = counters.get('search_cursor');

  return {
    step() {
      const rows = ahead.all(cursor);
      const end = boundary(rows);
      if (end === null) return false;
      atLeisure(db, () => {
        takeIn.run(cursor, end);
        counters.set('search_cursor', end);
      });
      cursor = end;
      return rows.length === MAX_EVENTS || rows.at(-1)?.id !== end;
    },
    indexedTo: () => cursor,
  };
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

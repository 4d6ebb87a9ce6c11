import { z } from 'zod';
import { type Db, reading, writing } from '../sql';

type Counter = 'last_event' | 'last_run' | 'search_cursor' | 'opened' | 'probed';

/** Counters in `meta`. They keep the highest ids when rows are removed, so that no id is used twice. */
export interface Counters {
  get(name: Counter): number;
  set(name: Counter, value: number): void;
}

const valueSchema = z.object({ value: z.number() });

export function createCounters(db: Db): Counters {
  const read = reading(db, valueSchema, 'select value from meta where name = ?');
  const write = writing(
    db,
    'insert into meta (name, value) values (?, ?) on conflict do update set value = excluded.value',
  );
  return {
    get: (name) => read.get(name)?.value ?? 0,
    set(name, value) {
      write.run(name, value);
    },
  };
}

interface Highest {
  readonly event: number;
  readonly run: number;
}

const highestSchema = z.object({ event: z.number().nullable(), run: z.number().nullable() });

/** The highest ids ever used. */
export function highestOf(db: Db, counters: Counters): Highest {
  const now = reading(
    db,
    highestSchema,
    'select (select max(id) from events) as event, (select max(id) from runs) as run',
  ).get();
  return {
    event: Math.max(now?.event ?? 0, counters.get('last_event')),
    run: Math.max(now?.run ?? 0, counters.get('last_run')),
  };
}

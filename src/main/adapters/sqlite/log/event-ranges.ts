import type { StoredEvent } from '@contract/run/events';
import { z } from 'zod';
import { type Db, reading, writing } from '../sql';

/** The first id after the range `g`. */
const END = 'coalesce((select min(n.id) from event_ranges n where n.id > g.id), 9223372036854775807)';

/** Ranges `g` of a run and their events `e`, with one more condition on the id. */
const eventsWhere = (id: string): string =>
  `event_ranges g cross join events e on e.id >= g.id and e.id < ${END} and ${id} where g.run_id = ?`;

const fromRange = (condition: string): string =>
  `g.seq >= coalesce((select max(f.seq) from event_ranges f where f.run_id = ? and ${condition}), 0)`;

/** Takes the run. */
export const EVENTS_OF_RUN = eventsWhere('true');

/** Takes `afterPlace`. Earlier events are not visited. */
export const EVENTS_AFTER_SEQ = `${eventsWhere('e.id > g.id + ? - g.seq')} and ${fromRange('f.seq <= ?')}`;

/** Takes `afterPlace` with an id in place of the seq. */
export const EVENTS_AFTER_ID = `${eventsWhere('e.id > ?')} and ${fromRange('f.id <= ?')}`;

export const afterPlace = (runId: number, after: number): [number, number, number, number] => [
  after,
  runId,
  runId,
  after,
];

/** Their order, which both trees have: nothing is sorted. */
export const IN_ORDER = 'order by g.seq, e.id';
export const NEWEST_FIRST = 'order by g.seq desc, e.id desc';

/** The last event of a run. */
export interface Last {
  readonly seq: number;
  /** Its id minus its seq, which is the same in the whole range. */
  readonly offset: number;
  /** What the run's row says of its end, if it was written with this event. */
  readonly end?: string;
}

interface EventRanges {
  lastOf(runId: number): Last | null;
  /** Begins a range where these consecutive events do not continue the one with the last event. */
  follow(stored: readonly StoredEvent[], last: Last | null): void;
}

const lastSchema = z.object({ seq: z.number(), offset: z.number() });

export function createEventRanges(db: Db): EventRanges {
  const last = reading(
    db,
    lastSchema,
    `select (select max(e.id) from events e where e.id < ${END}) - (g.id - g.seq) as seq, g.id - g.seq as offset
     from event_ranges g where g.run_id = ? order by g.seq desc limit 1`,
  );
  const begin = writing(db, 'insert into event_ranges (id, run_id, seq) values (?, ?, ?)');
  return {
    lastOf: (runId) => last.get(runId),
    follow(stored, known) {
      const first = stored[0];
      if (first === undefined || first.id - first.seq === known?.offset) return;
      begin.run(first.id, first.runId, first.seq);
    },
  };
}

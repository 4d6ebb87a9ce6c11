import { eventKinds, type RunEvent, runEventSchema, type StoredEvent } from '@contract/run/events';
import { z } from 'zod';
import type { RawEvent } from '../../../core/ports/store/store';
import { type Db, parsing, reading, readings } from '../sql';
import {
  afterPlace,
  EVENTS_AFTER_ID,
  EVENTS_AFTER_SEQ,
  EVENTS_OF_RUN,
  IN_ORDER,
  NEWEST_FIRST,
} from './event-ranges';
import { TYPE_NAME } from './event-types';

const rowSchema = z.object({
  id: z.number(),
  runId: z.number(),
  seq: z.number(),
  at: z.number(),
  type: z.string(),
  body: z.string(),
});

const SELECT = `select e.id, e.run_id as runId, e.seq, e.at, ${TYPE_NAME} as type, e.body from`;
const PAGE = 500;
const MOST_BYTES = 64_000_000;

/** A query's rows up to a number of bytes; the row that exceeds it is the last. */
const within = (query: string): string =>
  `select id, runId, seq, at, type, body from
     (select *, sum(octet_length(body)) over (order by id) - octet_length(body) as bytes from (${query}))
   where bytes < ? order by id`;

/** An event's body: everything except its type, which has its own column. */
export function bodyOf(event: RunEvent): string {
  const text = JSON.stringify(event);
  // Cutting the text costs half of copying the event without its type. Type names need no escapes.
  const type = `{"type":"${event.type}"`;
  if (text.startsWith(type)) return text[type.length] === ',' ? `{${text.slice(type.length + 1)}` : '{}';
  const { type: _, ...body } = event;
  return JSON.stringify(body);
}

export interface StoredEvents {
  ofRun(runId: number, afterSeq: number): Iterable<StoredEvent>;
  after(query: { afterId: number; limit: number; bytes?: number; runId?: number }): StoredEvent[];
  eventsWithoutHistory(
    runId: number,
    kept: { readonly event: string; readonly keep: number },
  ): Iterable<StoredEvent> | null;
  raw(runId: number, afterSeq: number): Iterable<RawEvent>;
}

const OF_TYPE = '(select id from event_types where name = ?)';

/** `guard` reports database errors of a read. */
export function createStoredEvents(db: Db, guard: <T>(ask: () => T) => T): StoredEvents {
  const read = readings(db, rowSchema);
  const page = read(`${SELECT} ${EVENTS_AFTER_SEQ} ${IN_ORDER} limit ${PAGE}`);
  const glanced = read(
    `${SELECT} ${EVENTS_AFTER_SEQ} and (e.seq >= ? or e.type <> ${OF_TYPE}) ${IN_ORDER} limit ${PAGE}`,
  );
  const firstKept = reading(
    db,
    z.object({ seq: z.number() }),
    `select e.seq from ${EVENTS_OF_RUN} and e.type = ${OF_TYPE} ${NEWEST_FIRST} limit 1 offset ?`,
  );
  const all = read(within(`${SELECT} events e where e.id > ? order by e.id limit ?`));
  const ofOneRun = read(within(`${SELECT} ${EVENTS_AFTER_ID} ${IN_ORDER} limit ?`));

  return {
    ofRun: (runId, afterSeq) =>
      paged(afterSeq, (after) => guard(() => page.all(...afterPlace(runId, after)))),
    eventsWithoutHistory(runId, { event, keep }) {
      if (guard(() => firstKept.get(runId, event, keep)) === null) return null;
      const from = guard(() => firstKept.get(runId, event, keep - 1))?.seq ?? 0;
      return paged(0, (after) => guard(() => glanced.all(...afterPlace(runId, after), from, event)));
    },
    raw: (runId, afterSeq) => rowsOf(afterSeq, (after) => guard(() => page.all(...afterPlace(runId, after)))),
    after({ afterId, limit, bytes = MOST_BYTES, runId }) {
      for (let after = afterId; ; ) {
        const rows = guard(() =>
          runId === undefined
            ? all.all(after, limit, bytes)
            : ofOneRun.all(...afterPlace(runId, after), limit, bytes),
        );
        // One unreadable event must not end the stream of all runs.
        const events = rows.flatMap((row) => readable(row) ?? []);
        const last = rows.at(-1);
        if (events.length > 0 || last === undefined) return events;
        after = last.id;
      }
    },
  };
}

type Row = z.infer<typeof rowSchema>;

/** In pages, because the connection can do nothing else while iterating a query. */
function* paged(afterSeq: number, pageAfter: (seq: number) => readonly Row[]): Iterable<StoredEvent> {
  for (const row of rowsOf(afterSeq, pageAfter)) yield parse(row);
}

function* rowsOf(afterSeq: number, pageAfter: (seq: number) => readonly Row[]): Iterable<Row> {
  for (let after = afterSeq; ; ) {
    const rows = pageAfter(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.seq;
  }
}

/** By type, so that a start builds only the schemas it needs. */
const parsers = new Map<string, (value: unknown) => RunEvent>(
  eventKinds.map(({ type, schema }) => [type, parsing<z.ZodType<RunEvent>>(schema)]),
);
/** The error for an event of an unknown type. */
const parseUnknown = parsing(runEventSchema);

function readable(row: Row): StoredEvent | null {
  try {
    return parse(row);
  } catch {
    return null;
  }
}

function parse({ id, runId, seq, at, type, body }: Row): StoredEvent {
  const parseEvent = parsers.get(type) ?? parseUnknown;
  const event = parseEvent(Object.assign({ type }, JSON.parse(body)));
  return { id, runId, seq, at, event };
}

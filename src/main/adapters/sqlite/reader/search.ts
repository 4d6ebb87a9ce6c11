import { type SearchHit, searchHitSchema } from '@contract/update/procedures';
import { z } from 'zod';
import type { StoreReader } from '../../../core/ports/store';
import { excerptOf } from '../search/excerpt';
import { matchAll, wordsOf } from '../search/match';
import { TEXT } from '../search/texts';
import { type Db, readings } from '../sql';
import { page } from './runs';

/** Not the hit's own schemas: STRICT tables keep numbers whole, and to check that again is a tenth of a search. */
const rowSchema = z.lazy(() =>
  z.object({
    kind: searchHitSchema.unwrap().shape.kind,
    eventId: z.number(),
    runId: z.number(),
    runName: z.string(),
    turnId: z.number().nullable(),
    at: z.number(),
    text: z.string().nullable(),
  }),
);

const KIND = `case e.type
  when (select id from event_types where name = 'update.posted') then 'update'
  when (select id from event_types where name = 'run.started') then 'run' else 'turn' end`;

/** Newest first over all that was said. The order of the joins is part of the query: nothing is sorted. */
export function searchReader(db: Db, indexedTo: () => number): Pick<StoreReader, 'search'> {
  const read = readings(db, rowSchema);
  const byLimit = new Map<number, ReturnType<typeof read>>();
  // A limit that stands in the wording, because FTS5 takes a fifth longer with one that is a parameter.
  const worded = (limit: number) =>
    read(`select ${KIND} as kind, e.id as eventId, e.run_id as runId, r.name as runName,
        e.body ->> '$.turnId' as turnId, e.at, ${TEXT} as text
      from search s cross join events e on e.id = s.rowid cross join runs r on r.id = e.run_id
      where search match ? and s.rowid < ? and r.binned_at is null order by s.rowid desc limit ${limit}`);
  const find = (limit: number) => {
    const found = byLimit.get(limit) ?? worded(limit);
    byLimit.set(limit, found);
    return found;
  };
  return {
    search({ text, before = Number.MAX_SAFE_INTEGER, limit }) {
      const words = wordsOf(text);
      const found = matchAll(words, (match) => find(limit + 1).all(match, before));
      const { rows, more } = page(found, limit);
      const cut = excerptOf(words);
      return { hits: rows.map((row) => hitOf(row, cut)), more, indexedTo: indexedTo() };
    },
  };
}

/** Field by field: to leave one out by its name costs more than to cut the excerpt. */
const hitOf = (
  { kind, eventId, runId, runName, turnId, at, text }: z.infer<typeof rowSchema>,
  cut: (text: string) => string,
): SearchHit => ({ kind, eventId, runId, runName, turnId, at, excerpt: cut(text ?? '') });

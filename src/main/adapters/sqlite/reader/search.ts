import { type SearchHit, searchHitSchema } from '@contract/update/procedures';
import { z } from 'zod';
import type { StoreReader } from '../../../core/ports/store';
import { TYPE_NAME } from '../log/event-types';
import { excerptOf } from '../search/excerpt';
import { matchAll, wordsOf } from '../search/match';
import { TEXT } from '../search/texts';
import { type Db, reading } from '../sql';
import { page } from './runs';

const rowSchema = searchHitSchema.omit({ excerpt: true }).extend({ text: z.string().nullable() });

/** Newest first over all that was said. The order of the joins is part of the query: nothing is sorted. */
export function searchReader(db: Db, indexedTo: () => number): Pick<StoreReader, 'search'> {
  const find = reading(
    db,
    rowSchema,
    `select case ${TYPE_NAME} when 'update.posted' then 'update' when 'run.started' then 'run' else 'turn' end as kind,
       e.id as eventId, e.run_id as runId, r.name as runName, e.body ->> '$.turnId' as turnId, e.at, ${TEXT} as text
     from search s cross join events e on e.id = s.rowid cross join runs r on r.id = e.run_id
     where search match ? and s.rowid < ? and r.binned_at is null order by s.rowid desc limit ?`,
  );
  return {
    search({ text, before = Number.MAX_SAFE_INTEGER, limit }) {
      const words = wordsOf(text);
      const found = matchAll(words, (match) => find.all(match, before, limit + 1));
      const { rows, more } = page(found, limit);
      const cut = excerptOf(words);
      const hits = rows.map((row): SearchHit => hitOf(row, cut));
      return { hits, more, indexedTo: indexedTo() };
    },
  };
}

/** Field by field: to leave one out by its name costs more than to cut the excerpt. */
const hitOf = (
  { kind, eventId, runId, runName, turnId, at, text }: z.infer<typeof rowSchema>,
  cut: (text: string) => string,
): SearchHit => ({ kind, eventId, runId, runName, turnId, at, excerpt: cut(text ?? '') });

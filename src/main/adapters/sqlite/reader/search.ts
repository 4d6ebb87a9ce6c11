import { type SearchHit, searchHitSchema } from '@contract/update/procedures';
import { z } from 'zod';
import type { StoreReader } from '../../../core/ports/store';
import { excerptOf } from '../search/excerpt';
import { matchAll, wordsOf } from '../search/match';
import { textOf } from '../search/texts';
import { type Db, reading } from '../sql';
import { page } from './runs';

const idSchema = z.object({ id: z.number() });
const rowSchema = z.object({
  kind: z.string(),
  eventId: z.number(),
  runId: z.number(),
  runName: z.string(),
  turnId: z.number().nullable(),
  at: z.number(),
  text: z.string().nullable(),
});

type Search = StoreReader['search'];

/** Newest first over all that was said, the two word lists merged by event id. */
export function searchReader(db: Db, indexedTo: () => number): { search: Search } {
  const lists = ['search_updates', 'search_turns'].map((list) =>
    reading(
      db,
      idSchema,
      `select rowid as id from ${list} where ${list} match ? and rowid < ? order by rowid desc limit ?`,
    ),
  );
  const details = reading(
    db,
    rowSchema,
    `select case e.type when 'update.posted' then 'update' when 'run.started' then 'run' else 'turn' end as kind,
       e.id as eventId, e.run_id as runId, r.name as runName, e.body ->> '$.turnId' as turnId, e.at, ${textOf('e')} as text
     from json_each(?) found cross join events e on e.id = found.value cross join runs r on r.id = e.run_id
     where r.binned_at is null order by found.key`,
  );

  const newest = (match: string, before: number, count: number): number[] =>
    lists
      .flatMap((list) => list.all(match, before, count))
      .map(({ id }) => id)
      .sort((a, b) => b - a)
      .slice(0, count);

  /** Hits in binned runs fall out, so it is asked until there are enough. */
  function find(match: string, before: number, count: number): z.infer<typeof rowSchema>[] {
    const found: z.infer<typeof rowSchema>[] = [];
    for (let from = before; found.length < count; ) {
      const ids = newest(match, from, count);
      found.push(...details.all(JSON.stringify(ids)));
      const last = ids.at(-1);
      if (last === undefined || ids.length < count) break;
      from = last;
    }
    return found.slice(0, count);
  }

  return {
    search({ text, before, limit }) {
      const words = wordsOf(text);
      const found = matchAll(words, (match) => find(match, before ?? Number.MAX_SAFE_INTEGER, limit + 1));
      const { rows, more } = page(found, limit);
      return { hits: rows.map((row) => hitOf(row, words)), more, indexedTo: indexedTo() };
    },
  };
}

const hitOf = ({ text, ...row }: z.infer<typeof rowSchema>, words: readonly string[]): SearchHit =>
  searchHitSchema.parse({ ...row, excerpt: excerptOf(text ?? '', words) });

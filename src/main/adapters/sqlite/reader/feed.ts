import { type UpdateRow, updateRowSchema } from '@contract/update/procedures';
import type { Update } from '@contract/update/update';
import { z } from 'zod';
import type { FeedQuery, StoreReader } from '../../../core/ports/store';
import { matchAll, wordsOf } from '../search/match';
import { UPDATE_MARK } from '../search/texts';
import { type Db, parsing, type Reading, readings, type SqlValue } from '../sql';
import { like, page } from './runs';

const rowSchema = z.object({
  id: z.number(),
  runId: z.number(),
  runName: z.string(),
  at: z.number(),
  body: z.string(),
});
type Row = z.infer<typeof rowSchema>;

const COLUMNS = 'u.event_id as id, u.run_id as runId, r.name as runName, e.at, e.body';
/** The order of the joins is part of the query: pages are read from the newest on, never sorted. */
const SELECT = `
  select ${COLUMNS} from updates u cross join runs r on r.id = u.run_id cross join events e on e.id = u.event_id`;
const SELECT_FOUND = `
  select ${COLUMNS} from search s cross join updates u on u.event_id = s.rowid
    cross join runs r on r.id = u.run_id cross join events e on e.id = u.event_id`;

/** Written out, because an index on one result serves only a query that names it. */
const WITH_RESULT: Readonly<Record<Update['result'], string>> = {
  completed: "u.result = 'completed'",
  blocked: "u.result = 'blocked'",
  failed: "u.result = 'failed'",
  'no-op': "u.result = 'no-op'",
};

export type FeedReader = Pick<StoreReader, 'feed' | 'updates'>;

export function feedReader(db: Db): FeedReader {
  const read = readings(db, rowSchema);
  const byIds = read(`${SELECT} where u.event_id in (select value from json_each(?)) order by u.event_id`);
  return {
    feed(query) {
      const found =
        query.search === undefined || query.search.trim() === '' ? plain(read, query) : sought(read, query);
      return page(found.map(parse), query.limit);
    },
    updates: (ids) => byIds.all(JSON.stringify(ids)).map(parse),
  };
}

type Read = (sql: string) => Reading<Row>;

class Conditions {
  readonly #parts: string[] = [];
  readonly #values: SqlValue[] = [];

  and(part: string, ...values: SqlValue[]): this {
    this.#parts.push(part);
    this.#values.push(...values);
    return this;
  }

  all(read: Read, { select, order, limit }: { select: string; order: string; limit: number }): Row[] {
    const sql = `${select} where ${this.#parts.join(' and ')} order by ${order} desc limit ?`;
    return read(sql).all(...this.#values, limit);
  }
}

function filters({ before, runId, result }: FeedQuery): Conditions {
  const conditions = new Conditions();
  // A run in the bin is out of the feed, but its own page still shows what it said.
  if (runId === undefined) conditions.and('r.binned_at is null');
  else conditions.and('u.run_id = ?', runId);
  if (result !== undefined) conditions.and(WITH_RESULT[result]);
  if (before !== undefined) conditions.and('u.event_id < ?', before);
  return conditions;
}

const plain = (read: Read, query: FeedQuery): Row[] =>
  filters(query).all(read, { select: SELECT, order: 'u.event_id', limit: query.limit + 1 });

/** Within one run its updates are looked through; over all runs the word list is asked. */
function sought(read: Read, query: FeedQuery): Row[] {
  const words = wordsOf(query.search ?? '');
  if (words.length === 0) return [];
  if (query.runId !== undefined) {
    const conditions = filters(query);
    for (const word of words) conditions.and("e.body ->> '$.text' like ? escape '\\'", like(word));
    return conditions.all(read, { select: SELECT, order: 'u.event_id', limit: query.limit + 1 });
  }
  const { limit, before, result } = query;
  // Each update names its result, so a result narrows the words too.
  const wanted = [UPDATE_MARK, ...(result === undefined ? [] : wordsOf(result)), ...words];
  return matchAll(wanted, (match) => {
    const conditions = new Conditions().and('search match ?', match).and('r.binned_at is null');
    if (result !== undefined) conditions.and(WITH_RESULT[result]);
    if (before !== undefined) conditions.and('s.rowid < ?', before);
    return conditions.all(read, { select: SELECT_FOUND, order: 's.rowid', limit: limit + 1 });
  });
}

const parseUpdate = parsing(updateRowSchema);

/** What was posted stands in its event, under the names that the row has. */
function parse({ body, ...row }: Row): UpdateRow {
  return parseUpdate(Object.assign(JSON.parse(body), row));
}

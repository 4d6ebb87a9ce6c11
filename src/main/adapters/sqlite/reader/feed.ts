import { type UpdateRow, updateRowSchema } from '@contract/update/procedures';
import type { Update } from '@contract/update/update';
import { z } from 'zod';
import type { FeedQuery, StoreReader } from '../../../core/ports/store';
import { matchAll, wordsOf } from '../search/match';
import { UPDATE_MARK } from '../search/texts';
import { type Db, parsing, type Reading, reading, readings, type SqlValue } from '../sql';
import { like, page } from './runs';

const rowSchema = z.lazy(() =>
  z.object({
    id: z.number(),
    runId: z.number(),
    runName: z.string(),
    at: z.number(),
    body: z.string(),
  }),
);
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

export type FeedReader = Pick<StoreReader, 'feed' | 'updates' | 'feedSources' | 'unread'>;

export function feedReader(db: Db): FeedReader {
  const read = readings(db, rowSchema);
  const byIds = read(`${SELECT} where u.event_id in (select value from json_each(?)) order by u.event_id`);
  return {
    feed(query) {
      const found =
        query.search === undefined || query.search.trim() === '' ? plain(read, query) : sought(read, query);
      const { rows, more } = page(found.map(parse), query.limit);
      return { rows: query.after === undefined ? rows : rows.reverse(), more };
    },
    feedSources: sourceReader(db),
    unread: unreadReader(db),
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

  all(read: Read, { select, order, query }: { select: string; order: string; query: FeedQuery }): Row[] {
    const way = query.after === undefined ? 'desc' : 'asc';
    const sql = `${select} where ${this.#parts.join(' and ')} order by ${order} ${way} limit ?`;
    return read(sql).all(...this.#values, query.limit + 1);
  }
}

function filters({ before, after, runId, result, stepId, agent }: FeedQuery): Conditions {
  const conditions = new Conditions();
  // A run in the bin is out of the feed, but its own page still shows what it said.
  if (runId === undefined) conditions.and('r.binned_at is null');
  else conditions.and('u.run_id = ?', runId);
  if (result !== undefined) conditions.and(WITH_RESULT[result]);
  if (stepId !== undefined) conditions.and('u.step_id = ?', stepId);
  if (agent !== undefined) conditions.and('u.agent = ?', agent);
  if (before !== undefined) conditions.and('u.event_id < ?', before);
  if (after !== undefined) conditions.and('u.event_id > ?', after);
  return conditions;
}

const plain = (read: Read, query: FeedQuery): Row[] =>
  filters(query).all(read, { select: SELECT, order: 'u.event_id', query });

/** Within one run its updates are looked through; over all runs the word list is asked. */
function sought(read: Read, query: FeedQuery): Row[] {
  const words = wordsOf(query.search ?? '');
  if (words.length === 0) return [];
  if (query.runId !== undefined) {
    const conditions = filters(query);
    for (const word of words) conditions.and("e.body ->> '$.text' like ? escape '\\'", like(word));
    return conditions.all(read, { select: SELECT, order: 'u.event_id', query });
  }
  const { before, after, result, stepId, agent } = query;
  // Each update names its result, so a result narrows the words too.
  const wanted = [UPDATE_MARK, ...(result === undefined ? [] : wordsOf(result)), ...words];
  return matchAll(wanted, (match) => {
    const conditions = new Conditions().and('search match ?', match).and('r.binned_at is null');
    if (result !== undefined) conditions.and(WITH_RESULT[result]);
    if (stepId !== undefined) conditions.and('u.step_id = ?', stepId);
    if (agent !== undefined) conditions.and('u.agent = ?', agent);
    if (before !== undefined) conditions.and('s.rowid < ?', before);
    if (after !== undefined) conditions.and('s.rowid > ?', after);
    return conditions.all(read, { select: SELECT_FOUND, order: 's.rowid', query });
  });
}

const nameSchema = z.object({ name: z.string().nullable() });
const countSchema = z.object({ count: z.number() });

/** Goes from name to name through an index; the updates between them are not read. */
const namesOf = (column: 'step_id' | 'agent'): string => `
  with recursive names(name) as (
    select min(${column}) from updates where ${column} is not null
    union all
    select (select min(${column}) from updates where ${column} > n.name) from names n where n.name is not null)
  select name from names where name is not null limit ?`;

function sourceReader(db: Db): FeedReader['feedSources'] {
  const steps = reading(db, nameSchema, namesOf('step_id'));
  const agents = reading(db, nameSchema, namesOf('agent'));
  const names = (from: typeof steps, limit: number) => from.all(limit).flatMap(({ name }) => name ?? []);
  return (limit) => ({ steps: names(steps, limit), agents: names(agents, limit) });
}

function unreadReader(db: Db): FeedReader['unread'] {
  const count = reading(
    db,
    countSchema,
    `select count(*) as count from (
       select 1 from updates u cross join runs r on r.id = u.run_id
       where u.event_id > ? and r.binned_at is null limit ?)`,
  );
  return (readTo, most) => count.get(readTo, most)?.count ?? 0;
}

const parseUpdate = parsing(updateRowSchema);

/** What was posted is in its event, under the names that the row has. */
function parse({ body, ...row }: Row): UpdateRow {
  return parseUpdate(Object.assign(JSON.parse(body), row));
}

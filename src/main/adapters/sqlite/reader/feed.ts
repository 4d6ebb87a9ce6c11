import { type UpdateRow, updateRowSchema } from '@areas/feed/contract/procedures';
import type { Update } from '@areas/feed/contract/update';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import type { FeedQuery, StoreReader } from '../../../core/ports/store/store';
import { matchAll, wordsOf } from '../search/match';
import { UPDATE_MARK } from '../search/texts';
import { type Db, parsing, type Reading, reading, readings, type SqlValue } from '../sql';
import { like, page } from './runs';

const rowSchema = lazyObject(() => ({
  id: z.number(),
  runId: z.number(),
  runName: z.string(),
  at: z.number(),
  body: z.string(),
}));
type Row = z.infer<typeof rowSchema>;

const COLUMNS = 'u.event_id as id, u.run_id as runId, r.name as runName, e.at, e.body';
/** The join order is part of the query: pages are read from the newest on, never sorted. */
const SELECT = `
  select ${COLUMNS} from updates u cross join runs r on r.id = u.run_id cross join events e on e.id = u.event_id`;
const SELECT_FOUND = `
  select ${COLUMNS} from search s cross join updates u on u.event_id = s.rowid
    cross join runs r on r.id = u.run_id cross join events e on e.id = u.event_id`;

/** Literal conditions, because a partial index is used only by a query that contains its condition. */
const WITH_RESULT: Readonly<Record<Update['result'], string>> = {
  completed: "u.result = 'completed'",
  blocked: "u.result = 'blocked'",
  failed: "u.result = 'failed'",
  'no-op': "u.result = 'no-op'",
};

type FeedReader = Pick<StoreReader, 'feed' | 'updates' | 'feedSources' | 'unread'>;

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
  // A run in the bin is not in the feed, but its own page still shows its updates.
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

/** Within one run its updates are scanned; across all runs the word index is used. */
function sought(read: Read, query: FeedQuery): Row[] {
  const words = wordsOf(query.search ?? '');
  if (words.length === 0) return [];
  if (query.runId !== undefined) {
    const conditions = filters(query);
    for (const word of words) conditions.and("e.body ->> '$.text' like ? escape '\\'", like(word));
    return conditions.all(read, { select: SELECT, order: 'u.event_id', query });
  }
  const { before, after, result, stepId, agent } = query;
  // Each update's text contains its result, so the result narrows the words too.
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

/** Steps from name to name through an index, without reading the updates in between. */
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

/** An update's content is in its event, with the same names as in the row. */
function parse({ body, ...row }: Row): UpdateRow {
  return parseUpdate(Object.assign(JSON.parse(body), row));
}

import { type SearchHit, type SearchKind, searchKindSchema } from '@areas/feed/contract/procedures';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import type { SearchQuery, StoreReader } from '../../../core/ports/store/store';
import { excerptOf } from '../search/excerpt';
import { matchAll, wordsOf } from '../search/match';
import { GATE_MARK, KIND_EVENTS, MESSAGE_MARK, TEXT, UPDATE_MARK } from '../search/texts';
import { type Db, reading, readings, type SqlValue } from '../sql';
import { page } from './runs';

/**
 * Not the hit's own schemas: STRICT tables guarantee integers, and checking that again costs a tenth of a
 * search.
 */
const rowSchema = lazyObject(() => ({
  type: z.number(),
  eventId: z.number(),
  runId: z.number(),
  runName: z.string(),
  turnId: z.number().nullable(),
  at: z.number(),
  text: z.string().nullable(),
  gateId: z.number().nullable(),
  messageId: z.number().nullable(),
  activationId: z.number().nullable(),
}));
type Row = z.infer<typeof rowSchema>;

/** A word in the index that only texts of this kind have. */
const MARKS: Partial<Record<SearchHit['kind'], string>> = {
  update: UPDATE_MARK,
  message: MESSAGE_MARK,
  gate: GATE_MARK,
};

const typeSchema = z.object({ id: z.number(), kind: searchKindSchema });

/** The numbers of the types of each kind. They are literals in a query: finding them in it doubles its time. */
class Kinds {
  readonly #byType: ReadonlyMap<number, SearchKind>;

  constructor(db: Db) {
    const names = Object.entries(KIND_EVENTS).map(([kind, types]) => types.map((type) => [type, kind]));
    const found = reading(
      db,
      typeSchema,
      `select t.id, k.value ->> 1 as kind from event_types t join json_each(?) k on k.value ->> 0 = t.name`,
    ).all(JSON.stringify(names.flat()));
    this.#byType = new Map(found.map(({ id, kind }) => [id, kind]));
  }

  of = (type: number): SearchKind => this.#byType.get(type) ?? 'turn';

  /** A condition on an event `e`. */
  is(kind: SearchKind): string {
    const types = [...this.#byType]
      .filter(([, one]) => kind === 'turn' || one === kind)
      .map(([type]) => type);
    return `e.type ${kind === 'turn' ? 'not ' : ''}in (${types.join(', ')})`;
  }
}

const selectOf = (
  kinds: Kinds,
): string => `select e.type, e.id as eventId, e.run_id as runId, r.name as runName,
    e.body ->> '$.turnId' as turnId, e.at, ${TEXT} as text,
    iif(${kinds.is('gate')}, e.body ->> '$.gateId', null) as gateId,
    iif(${kinds.is('message')}, e.body ->> '$.messageId', null) as messageId,
    iif(${kinds.is('message')}, e.body ->> '$.activationId', null) as activationId
  from search s cross join events e on e.id = s.rowid cross join runs r on r.id = e.run_id
  where search match ? and s.rowid < ? and r.binned_at is null`;

/** The word index, which follows the events outside of their commits. */
interface SearchedIndex {
  /** Indexes what is missing; returns how many events remain. */
  catchUp(): number;
  indexedTo(): number;
}

/** Searches all texts, newest first. The join order is part of the query: nothing is sorted. */
export function searchReader(db: Db, { catchUp, indexedTo }: SearchedIndex): Pick<StoreReader, 'search'> {
  const read = readings(db, rowSchema);
  let kinds: Kinds | null = null;
  let select = '';
  const known = (): Kinds => {
    if (kinds !== null) return kinds;
    kinds = new Kinds(db);
    select = selectOf(kinds);
    return kinds;
  };
  const find = (query: SearchQuery, match: string): Row[] => {
    const { before = Number.MAX_SAFE_INTEGER, limit } = query;
    const { conditions, values } = conditionsOf(query, known());
    // The limit is literal, because FTS5 is a fifth slower with a parameter.
    const sql = `${select}${conditions} order by s.rowid desc limit ${limit + 1}`;
    return read(sql).all(match, before, ...values);
  };
  return {
    search(query) {
      const behind = catchUp();
      const words = wordsOf(query.text);
      const mark = query.kind && MARKS[query.kind];
      const wanted = words.length === 0 || mark === undefined ? words : [mark, ...words];
      const found = matchAll(wanted, (match) => find(query, match));
      const { rows, more } = page(found, query.limit);
      const cut = excerptOf(words);
      return {
        hits: rows.map((row) => hitOf(row, known().of(row.type), cut)),
        more,
        indexedTo: indexedTo(),
        behind,
      };
    },
  };
}

function conditionsOf(
  { kind, projectId, runId }: SearchQuery,
  kinds: Kinds,
): { conditions: string; values: SqlValue[] } {
  const parts: string[] = kind === undefined ? [] : [` and ${kinds.is(kind)}`];
  const values: SqlValue[] = [];
  const and = (column: string, value: SqlValue | undefined) => {
    if (value === undefined) return;
    parts.push(` and ${column} = ?`);
    values.push(value);
  };
  and('r.project_id', projectId);
  and('r.id', runId);
  return { conditions: parts.join(''), values };
}

/** Field by field: omitting one by name costs more than cutting the excerpt. */
const hitOf = (
  { eventId, runId, runName, turnId, at, text, gateId, messageId, activationId }: Row,
  kind: SearchKind,
  cut: (text: string) => string,
): SearchHit => {
  const hit = { kind, eventId, runId, runName, turnId, at, excerpt: cut(text ?? '') };
  if (kind === 'gate' && gateId !== null) return { ...hit, gateId };
  if (kind === 'message' && messageId !== null && activationId !== null)
    return { ...hit, messageId, activationId };
  return hit;
};

import { type SearchHit, searchHitSchema } from '@areas/feed/contract/procedures';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import type { SearchQuery, StoreReader } from '../../../core/ports/store/store';
import { excerptOf } from '../search/excerpt';
import { matchAll, wordsOf } from '../search/match';
import { GATE_MARK, MESSAGE_MARK, SEARCH_KIND, TEXT, UPDATE_MARK } from '../search/texts';
import { type Db, readings, type SqlValue } from '../sql';
import { page } from './runs';

/**
 * Not the hit's own schemas: STRICT tables guarantee integers, and checking that again costs a tenth of a
 * search.
 */
const rowSchema = lazyObject(() => ({
  kind: searchHitSchema.unwrap().shape.kind,
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

const SELECT = `select ${SEARCH_KIND} as kind, e.id as eventId, e.run_id as runId, r.name as runName,
    e.body ->> '$.turnId' as turnId, e.at, ${TEXT} as text, e.body ->> '$.gateId' as gateId,
    e.body ->> '$.messageId' as messageId, e.body ->> '$.activationId' as activationId
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
  const find = (query: SearchQuery, match: string): Row[] => {
    const { before = Number.MAX_SAFE_INTEGER, limit } = query;
    const { conditions, values } = conditionsOf(query);
    // The limit is literal, because FTS5 is a fifth slower with a parameter.
    const sql = `${SELECT}${conditions} order by s.rowid desc limit ${limit + 1}`;
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
      return { hits: rows.map((row) => hitOf(row, cut)), more, indexedTo: indexedTo(), behind };
    },
  };
}

function conditionsOf({ kind, projectId, runId }: SearchQuery): { conditions: string; values: SqlValue[] } {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  const and = (part: string, value: SqlValue | undefined) => {
    if (value === undefined) return;
    parts.push(` and ${part} = ?`);
    values.push(value);
  };
  and(SEARCH_KIND, kind);
  and('r.project_id', projectId);
  and('r.id', runId);
  return { conditions: parts.join(''), values };
}

/** Field by field: omitting one by name costs more than cutting the excerpt. */
const hitOf = (
  { kind, eventId, runId, runName, turnId, at, text, gateId, messageId, activationId }: Row,
  cut: (text: string) => string,
): SearchHit => {
  const hit = { kind, eventId, runId, runName, turnId, at, excerpt: cut(text ?? '') };
  if (kind === 'gate' && gateId !== null) return { ...hit, gateId };
  if (kind === 'message' && messageId !== null && activationId !== null)
    return { ...hit, messageId, activationId };
  return hit;
};

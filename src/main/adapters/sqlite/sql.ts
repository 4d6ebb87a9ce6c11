import type Database from 'better-sqlite3';
import type { z } from 'zod';

export type Db = Database.Database;
export type SqlValue = string | number | null;

export interface Write {
  run(...values: SqlValue[]): Database.RunResult;
}

/** A statement, prepared on first use: a start runs few of them. */
export function writing(db: Db, sql: string): Write {
  let made: Database.Statement<SqlValue[]> | null = null;
  return {
    run(...values) {
      made ??= db.prepare<SqlValue[]>(sql);
      return made.run(...values);
    },
  };
}

export interface Reading<Row> {
  all(...values: SqlValue[]): Row[];
  get(...values: SqlValue[]): Row | null;
}

/** Values parsed without a compiled parser before zod may compile one for their schema. */
const PLAIN = 200;

/**
 * Parses stored values. Zod compiles a parser for each object schema, which takes longer than parsing some
 * hundred rows without; a start reads few rows of many kinds.
 */
export function parsing<S extends z.ZodType>(schema: S): (value: unknown) => z.output<S> {
  let parsed = 0;
  return (value) => {
    if (parsed >= PLAIN) return schema.parse(value);
    parsed += 1;
    return schema.parse(value, { jitless: true });
  };
}

/**
 * A query, prepared on first use: a start needs few of them. Its rows are validated, because another build
 * may have written them.
 */
export function reading<S extends z.ZodType>(db: Db, row: S, sql: string): Reading<z.output<S>> {
  let made: Database.Statement<SqlValue[]> | null = null;
  const statement = (): Database.Statement<SqlValue[]> => {
    made ??= db.prepare<SqlValue[]>(sql);
    return made;
  };
  const parse = parsing(row);
  return {
    all: (...values) =>
      statement()
        .all(...values)
        .map(parse),
    get: (...values) => {
      const found = statement().get(...values);
      return found === undefined ? null : parse(found);
    },
  };
}

/** Queries with variable conditions: each wording is prepared once. */
export function readings<S extends z.ZodType>(db: Db, row: S): (sql: string) => Reading<z.output<S>> {
  const prepared = new Map<string, Reading<z.output<S>>>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const made = reading(db, row, sql);
    prepared.set(sql, made);
    return made;
  };
}

/** All or nothing, with the write lock from the start. */
export function atomically<T>(db: Db, work: () => T): T {
  return db.transaction(work).immediate();
}

/**
 * All or nothing, without its own sync: after a power failure, related rows are all as before, and the work
 * is repeated. The next commit of events syncs everything before it in the -wal, so nothing durable depends
 * on this.
 */
export function atLeisure<T>(db: Db, work: () => T): T {
  db.pragma('synchronous = NORMAL');
  try {
    return atomically(db, work);
  } finally {
    db.pragma('synchronous = FULL');
  }
}

import type Database from 'better-sqlite3';
import type { z } from 'zod';

export type Db = Database.Database;
export type SqlValue = string | number | null;

export interface Write {
  run(...values: SqlValue[]): Database.RunResult;
}

/** A statement, prepared when it is first run: a start runs few of them. */
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

/** Values parsed plainly before zod may compile a parser for their schema. */
const PLAIN = 200;

/**
 * Parses what is on disk. Zod writes and compiles a parser of its own for each object that it meets, which takes
 * longer than to parse some hundred rows without one; and a start reads a few rows of many kinds.
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
 * A query, prepared when it is first asked: a start asks few of them. Its rows are parsed, because what is on disk may
 * have been written by another build.
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

/** Queries whose conditions depend on what is asked: each wording is prepared once. */
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

/** All of it or nothing, with the write lock from the start. */
export function atomically<T>(db: Db, work: () => T): T {
  return db.transaction(work).immediate();
}

/**
 * All of it or nothing, without a sync of its own: if power fails, what belongs together is as before and is done again.
 * The next commit of events syncs what is in the -wal before it, so nothing durable ever rests on this.
 */
export function atLeisure<T>(db: Db, work: () => T): T {
  db.pragma('synchronous = NORMAL');
  try {
    return atomically(db, work);
  } finally {
    db.pragma('synchronous = FULL');
  }
}

import Database from 'better-sqlite3';
import type { Written } from './record';

/** Writes rows with nothing but better-sqlite3, on a connection that is set up as the store's. */
export class RawWriter {
  private readonly db: Database.Database;

  constructor(path: string) {
    this.db = new Database(path);
    this.db.pragma('journal_mode = WAL');
    this.db.pragma('synchronous = FULL');
    this.db.pragma('foreign_keys = ON');
    this.db.pragma('wal_autocheckpoint = 10000');
  }

  /** The milliseconds that it takes to write the transactions, with every statement prepared beforehand. */
  time(transactions: readonly (readonly Written[])[]): number {
    const statements = new Map<string, Database.Statement>();
    const statement = (sql: string) => {
      const known = statements.get(sql) ?? this.db.prepare(sql);
      statements.set(sql, known);
      return known;
    };
    const begin = this.db.prepare('begin immediate');
    const commit = this.db.prepare('commit');
    const prepared = transactions.map((writes) =>
      writes.map(({ sql, values }) => ({ statement: statement(sql), values })),
    );
    const started = performance.now();
    for (const writes of prepared) {
      begin.run();
      for (const write of writes) write.statement.run(...write.values);
      commit.run();
    }
    return performance.now() - started;
  }

  close(): void {
    this.db.close();
  }
}

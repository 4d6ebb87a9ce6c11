import Database from 'better-sqlite3';
import type { Written } from './record';

/** Writes rows with better-sqlite3 alone, on a connection with the settings of the store's. */
export class RawWriter {
  private readonly db: Database.Database;
  private readonly begin: Database.Statement;
  private readonly commit: Database.Statement;
  private readonly statements = new Map<string, Database.Statement>();

  constructor(path: string) {
    this.db = new Database(path);
    this.db.pragma('journal_mode = WAL');
    this.db.pragma('synchronous = FULL');
    this.db.pragma('foreign_keys = ON');
    this.db.pragma('wal_autocheckpoint = 10000');
    this.begin = this.db.prepare('begin immediate');
    this.commit = this.db.prepare('commit');
  }

  /** The time to write the transactions, in milliseconds, with every statement prepared beforehand. */
  time(transactions: readonly (readonly Written[])[]): number {
    const prepared = transactions.map((rows) =>
      rows.map(({ sql, values }) => ({ statement: this.statement(sql), values })),
    );
    const started = performance.now();
    for (const rows of prepared) {
      this.begin.run();
      for (const { statement, values } of rows) statement.run(...values);
      this.commit.run();
    }
    return performance.now() - started;
  }

  close(): void {
    this.db.close();
  }

  private statement(sql: string): Database.Statement {
    const statement = this.statements.get(sql) ?? this.db.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}

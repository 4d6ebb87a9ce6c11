import Database from 'better-sqlite3';

export interface Written {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** What the statements that `open` prepares write while `work` goes on: one list for a transaction. */
export async function recordTransactions<T>(
  open: () => T,
  work: (opened: T) => Promise<void>,
): Promise<Written[][]> {
  const transactions: Written[][] = [];
  let recording = false;
  const prepare = Database.prototype.prepare;
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql);
    const run = statement.run;
    statement.run = (...values: unknown[]) => {
      if (recording && sql.startsWith('begin')) transactions.push([]);
      else if (recording && sql !== 'commit') transactions.at(-1)?.push({ sql, values });
      return run.apply(statement, values);
    };
    return statement;
  } as typeof prepare;
  const opened = open();
  Database.prototype.prepare = prepare;
  recording = true;
  await work(opened);
  recording = false;
  return transactions;
}

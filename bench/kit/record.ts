import Database from 'better-sqlite3';

export interface Written {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface Recorder {
  /** The rows written since the last call: one list per transaction, one entry per row. */
  take(): Written[][];
}

/** Records what is written to the databases that `open` opens, including by statements prepared later. */
export function recording<T>(open: () => T): { opened: T; recorder: Recorder } {
  let transactions: Written[][] = [];
  const prepare = Database.prototype.prepare;
  const watched = new WeakSet<Database.Database>();
  let opening = true;
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    const statement: Database.Statement = prepare.call(this, sql);
    if (opening) watched.add(this);
    if (!watched.has(this)) return statement;
    const run = statement.run;
    statement.run = (...values: unknown[]) => {
      if (sql.startsWith('begin')) transactions.push([]);
      else if (sql !== 'commit') transactions.at(-1)?.push(...rowsOf({ sql, values }));
      return run.apply(statement, values);
    };
    return statement;
  } as typeof prepare;
  const opened = open();
  opening = false;
  return {
    opened,
    recorder: {
      take() {
        const taken = transactions;
        transactions = [];
        return taken;
      },
    },
  };
}

/** Splits an insert of several rows into one insert per row. */
function rowsOf({ sql, values }: Written): Written[] {
  const [, head, rows] =
    /^(\s*insert into [^(]+\([^)]+\)\s*values\s*)(\([?, ]+\)(?:,\s*\([?, ]+\))+)\s*$/.exec(sql) ?? [];
  if (head === undefined || rows === undefined) return [{ sql, values }];
  const count = rows.split('(').length - 1;
  const width = values.length / count;
  const row = `(${Array(width).fill('?').join(', ')})`;
  return Array.from({ length: count }, (_, index) => ({
    sql: `${head}${row}`,
    values: values.slice(index * width, (index + 1) * width),
  }));
}

import type { TerminalChange } from '../../../core/ports/terminals';
import { LENGTHS_WRITTEN_MS } from '../../../limits/core';
import { atomically, type Db, writing } from '../sql';

/** Collects changes of terminals, so that a printing terminal needs no transaction of its own. */
export interface TerminalRecorder {
  note(change: TerminalChange): void;
  closeAll(): void;
  /** Writes the collected changes in the open transaction. They stay collected until `committed`. */
  write(): void;
  /** That transaction was committed. */
  committed(): void;
  close(): void;
}

export function terminalRecorder(db: Db, guarded: (work: () => void) => void): TerminalRecorder {
  const writeChange = changeWriter(db);
  let waiting: TerminalChange[] = [];
  let written = 0;
  let timer: NodeJS.Timeout | null = null;

  const write = (): void => {
    for (const change of waiting) writeChange(change);
    written = waiting.length;
  };
  const committed = (): void => {
    waiting = waiting.slice(written);
    written = 0;
  };
  const flush = (): void => {
    timer = null;
    if (waiting.length === 0) return;
    guarded(() => atomically(db, write));
    committed();
  };

  return {
    note(change) {
      waiting.push(change);
      timer ??= setTimeout(() => {
        try {
          flush();
        } catch {
          // The store's health reports it; the collected changes are written with the next commit.
        }
      }, LENGTHS_WRITTEN_MS).unref();
    },
    closeAll: () =>
      void db.exec(`update terminals set closed_at = coalesce(
        (select at from terminal_lengths where terminal_id = id order by seq desc limit 1), opened_at)
        where closed_at is null`),
    write,
    committed,
    close() {
      if (timer) clearTimeout(timer);
      try {
        flush();
      } catch {
        // As above: everything can be read from the files again.
      }
    },
  };
}

/**
 * Every statement does nothing if the run or terminal is gone, so that none can fail the surrounding commit.
 */
function changeWriter(db: Db): (change: TerminalChange) => void {
  const open = writing(
    db,
    `insert into terminals (run_id, name, output_path, opened_at, bytes, evicted)
     select id, ?, ?, ?, 0, 0 from runs where uid = ?
     on conflict (run_id, name) do update set closed_at = null
     on conflict (output_path) do update set closed_at = null`,
  );
  const length = writing(
    db,
    `insert into terminal_lengths (terminal_id, seq, "offset", at)
     select id, coalesce((select max(seq) from terminal_lengths where terminal_id = t.id), 0) + 1, ?, ?
     from terminals t where output_path = ?`,
  );
  const grow = writing(db, 'update terminals set bytes = ? where output_path = ?');
  const evict = writing(db, 'update terminals set evicted = ? where output_path = ?');
  const forget = writing(
    db,
    `delete from terminal_lengths where terminal_id = (select id from terminals where output_path = ?)
       and seq < (select min(seq) from terminal_lengths l join terminals t on t.id = l.terminal_id
         where t.output_path = ? and l."offset" >= ?)`,
  );
  const close = writing(db, 'update terminals set closed_at = ? where output_path = ?');

  return (change) => {
    const { outputPath } = change;
    switch (change.kind) {
      case 'opened':
        return void open.run(change.name, outputPath, change.at, change.uid);
      case 'lengths':
        for (const { offset, at } of change.lengths) length.run(offset, at, outputPath);
        for (const { offset } of change.lengths.slice(-1)) grow.run(offset, outputPath);
        return;
      case 'evicted':
        evict.run(change.before, outputPath);
        return void forget.run(outputPath, outputPath, change.before);
      case 'closed':
        return void close.run(change.at, outputPath);
    }
  };
}

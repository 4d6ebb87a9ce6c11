import type { TerminalChange } from '../../../core/ports/store/terminals';
import { LENGTHS_WRITTEN_MS } from '../../../limits/core';
import { atomically, type Db, writing } from '../sql';

/** Collects changes of terminals, so that a printing terminal needs no transaction of its own. */
interface TerminalRecorder {
  note(change: TerminalChange): void;
  closeAll(at: number): void;
  /** Writes the collected changes in the open transaction. They stay collected until `committed`. */
  write(): void;
  /** That transaction was committed. */
  committed(): void;
  close(): void;
}

export function terminalRecorder(db: Db, guarded: (work: () => void) => void): TerminalRecorder {
  const writeChange = changeWriter(db);
  const closeAll = writing(db, 'update terminals set closed_at = ? where closed_at is null');
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
    closeAll: (at) => void closeAll.run(at),
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
  const grow = writing(db, 'update terminals set bytes = ? where output_path = ?');
  const evict = writing(db, 'update terminals set evicted = ? where output_path = ?');
  const close = writing(db, 'update terminals set closed_at = ? where output_path = ?');

  return (change) => {
    const { outputPath } = change;
    switch (change.kind) {
      case 'opened':
        return void open.run(change.name, outputPath, change.at, change.uid);
      case 'printed':
        return void grow.run(change.bytes, outputPath);
      case 'evicted':
        return void evict.run(change.before, outputPath);
      case 'closed':
        return void close.run(change.at, outputPath);
    }
  };
}

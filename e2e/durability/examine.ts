import { cpSync, existsSync, rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { RunEvent, StoredEvent } from '@contract/run/events';
import Database from 'better-sqlite3';

interface Row {
  readonly run_id: number;
  readonly seq: number;
  readonly name: string;
  readonly body: string;
}

const EVENTS = 'select e.run_id, e.seq, t.name, e.body from events e join event_types t on t.id = e.type';

/** For each list that is written beside the events: the event that adds to it. */
const LISTS = {
  runs: 'run.started',
  sessions: 'session.starting',
  turns: 'turn.dispatched',
  gates: 'gate.opened',
  updates: 'update.posted',
} as const;

/** A look at the database of a core that is not there, through a copy, so that nothing of it is changed. */
export class Examination {
  private readonly db: Database.Database;
  private readonly copy: string;
  private readonly empty: boolean;

  constructor(database: string) {
    this.copy = `${database}.examined`;
    for (const suffix of ['', '-wal']) {
      rmSync(`${this.copy}${suffix}`, { force: true });
      if (existsSync(`${database}${suffix}`)) cpSync(`${database}${suffix}`, `${this.copy}${suffix}`);
    }
    this.db = new Database(this.copy);
    const tables = "select 1 from sqlite_schema where name in ('events', 'event_types')";
    // The very first core may have been killed before it had made them, or the file.
    this.empty = this.db.prepare(tables).all().length < 2;
  }

  /** Which of the acknowledged events are not there, or not as they were acknowledged. */
  lost(acknowledged: readonly StoredEvent[]): string[] {
    if (this.empty) return acknowledged.map(({ runId, seq }) => `${runId}/${seq}`);
    const find = this.db.prepare<[number, number], Row>(`${EVENTS} where e.run_id = ? and e.seq = ?`);
    return acknowledged.flatMap(({ runId, seq, event }) => {
      const row = find.get(runId, seq);
      return row !== undefined && isDeepStrictEqual(eventOf(row), event)
        ? []
        : [`${runId}/${seq} ${event.type}`];
    });
  }

  /** Traces of a transaction of which only a part is there. */
  halves(): string[] {
    if (this.empty) return [];
    const broken = String(this.db.pragma('integrity_check(1)', { simple: true }));
    const gaps = this.db
      .prepare<[], { run_id: number }>(
        'select run_id from events group by run_id having count(*) <> max(seq)',
      )
      .all();
    const misplaced = this.db
      .prepare<[], { id: number }>(
        `select id from events e where (e.run_id, e.id - e.seq) is not
           (select g.run_id, g.id - g.seq from event_ranges g where g.id <= e.id order by g.id desc limit 1)`,
      )
      .all();
    const behind = this.db
      .prepare<[], { id: number }>(
        'select id from runs where at <> (select at from events where run_id = runs.id order by seq desc limit 1)',
      )
      .all();
    const unlike = Object.entries(LISTS).filter(([list, type]) => {
      const counts = this.db
        .prepare<[string], { rows: number; events: number }>(
          `select (select count(*) from ${list}) as rows,
             (select count(*) from events e join event_types t on t.id = e.type where t.name = ?) as events`,
        )
        .get(type);
      return counts === undefined || counts.rows !== counts.events;
    });
    return [
      ...(broken === 'ok' ? [] : [broken]),
      ...gaps.map(({ run_id }) => `run ${run_id} has a gap`),
      ...misplaced.map(({ id }) => `event ${id} is in the range of another`),
      ...behind.map(({ id }) => `the row of run ${id} is not as of its last event`),
      ...unlike.map(([list, type]) => `${list} does not go with ${type}`),
    ];
  }

  /** All histories by run. */
  histories(): Map<number, StoredEvent[]> {
    const histories = new Map<number, StoredEvent[]>();
    const rows = this.db
      .prepare<[], Row & { id: number; at: number }>(
        'select e.id, e.run_id, e.seq, e.at, t.name, e.body from events e join event_types t on t.id = e.type order by e.id',
      )
      .all();
    for (const row of rows) {
      const history = histories.get(row.run_id) ?? [];
      history.push({ id: row.id, runId: row.run_id, seq: row.seq, at: row.at, event: eventOf(row) });
      histories.set(row.run_id, history);
    }
    return histories;
  }

  close(): void {
    this.db.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${this.copy}${suffix}`, { force: true });
  }
}

const eventOf = ({ name, body }: Row): RunEvent => ({ type: name, ...JSON.parse(body) }) as RunEvent;

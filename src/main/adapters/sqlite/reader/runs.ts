import { runRowSchema } from '@contract/run/procedures';
import type { RunQuery, StoreReader } from '../../../core/ports/store/store';
import { type Db, readings, type SqlValue } from '../sql';

/** A row shows no more of an instruction. */
const SHOWN_CHARS = 300;

const SELECT = `
  select r.id, r.uid, r.name, r.workflow_name as workflowName, r.agents,
    substr(i.text, 1, ${SHOWN_CHARS}) as instruction, r.project_id as projectId, p.name as projectName, r.status, r.outcome, r.reason,
    r.started_at as startedAt, r.finished_at as finishedAt, r.at, r.steps, r.steps_done as stepsDone,
    r.open_gates as openGates, r.now, r.tokens, r.cost_usd as costUsd, r.binned_at as binnedAt, r.bytes
  from runs r join projects p on p.id = r.project_id join instructions i on i.run_id = r.id`;

type RunReader = Pick<StoreReader, 'runs' | 'run' | 'runByUid' | 'runByUidEnd'>;

export function runReader(db: Db): RunReader {
  const read = readings(db, runRowSchema);
  const byId = read(`${SELECT} where r.id = ?`);
  const byUid = read(`${SELECT} where r.uid = ?`);
  const byUidEnd = read(`${SELECT} where lower(substr(r.uid, -length(?))) = lower(?)`);
  return {
    runs(query) {
      const { where, values } = conditions(query);
      const found = read(`${SELECT} where ${where} order by r.id desc limit ?`).all(
        ...values,
        query.limit + 1,
      );
      return page(found, query.limit);
    },
    run: (runId) => byId.get(runId),
    runByUid: (uid) => byUid.get(uid),
    runByUidEnd: (end) => byUidEnd.get(end, end),
  };
}

/** One row more than requested reveals that there are more. */
export function page<Row>(found: Row[], limit: number): { rows: Row[]; more: boolean } {
  return { rows: found.slice(0, limit), more: found.length > limit };
}

function conditions({ before, status, search, binned, unfinished, endedSince }: RunQuery): {
  where: string;
  values: SqlValue[];
} {
  const where = [binned ? 'r.binned_at is not null' : 'r.binned_at is null'];
  const values: SqlValue[] = [];
  const and = (condition: string, ...more: SqlValue[]): void => {
    where.push(condition);
    values.push(...more);
  };
  if (before !== undefined) and('r.id < ?', before);
  if (status !== undefined) and('r.status = ?', status);
  if (unfinished === true) and(GOES_ON);
  if (endedSince !== undefined) and('r.finished_at >= ?', endedSince);
  const sought = search?.trim() ?? '';
  if (sought !== '') {
    // Runs are few compared with events, so any part of a name may be searched.
    and(
      `(r.name like ? escape '\\' or r.workflow_name like ? escape '\\' or p.name like ? escape '\\'
        or i.text like ? escape '\\' or r.uid = ?)`,
      ...Array<string>(4).fill(like(sought)),
      sought,
    );
  }
  return { where: where.join(' and '), values };
}

/** Uses two indexes, so that the many ended runs are not scanned. */
const GOES_ON = `r.id in (select id from runs where finished_at is null
  union select run_id from gates where closed_at is null)`;

/** A pattern for texts that contain `part`. */
export const like = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`;

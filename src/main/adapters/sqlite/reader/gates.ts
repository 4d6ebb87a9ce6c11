import { causeOf } from '@areas/gates/contract/cause';
import { type GateRow, gateRowSchema } from '@areas/gates/contract/procedures';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import type { GateQuery, StoreReader } from '../../../core/ports/store/store';
import { type Db, parsing, type Reading, reading } from '../sql';

const rowSchema = lazyObject(() => ({
  body: z.string(),
  answer: z.string().nullable(),
  runId: z.number(),
  runName: z.string(),
  projectName: z.string().nullable(),
  event: z.number(),
  status: z.string(),
  stepId: z.string().nullable(),
  stepTitle: z.string().nullable(),
  agent: z.string().nullable(),
  openedAt: z.number(),
  closedAt: z.number().nullable(),
  by: z.string().nullable(),
  snoozedUntil: z.number().nullable(),
}));

const SELECT = `
  select e.body, g.answer, g.run_id as runId, r.name as runName, p.name as projectName,
    g.opened_event as event, g.status, g.step_id as stepId,
    g.step_title as stepTitle, g.agent, g.opened_at as openedAt, g.closed_at as closedAt,
    g.answered_by as "by", g.snoozed_until as snoozedUntil
  from gates g join runs r on r.id = g.run_id left join projects p on p.id = r.project_id
    join events e on e.id = g.opened_event`;

type GateReader = Pick<StoreReader, 'gates' | 'gate'>;

/** The inbox is sorted by longest wait, its history by latest answer. Runs in the bin are excluded. */
const LISTS = {
  open: {
    where: 'g.closed_at is null',
    after: '(g.opened_at, g.opened_event) > (?, ?)',
    order: 'g.opened_at, g.opened_event',
  },
  closed: {
    where: 'g.closed_at is not null',
    after: '(g.closed_at, g.opened_event) < (?, ?)',
    order: 'g.closed_at desc, g.opened_event desc',
  },
};

function listReader(db: Db, { where, after, order }: (typeof LISTS)['open']) {
  const prepared = new Map<string, Reading<z.infer<typeof rowSchema>>>();
  return ({ limit, runId, after: place }: GateQuery): GateRow[] => {
    const conditions = [
      where,
      'r.binned_at is null',
      ...(runId === undefined ? [] : ['g.run_id = ?']),
      ...(place === undefined ? [] : [after]),
    ].join(' and ');
    const sql = `${SELECT} where ${conditions} order by ${order} limit ?`;
    const statement = prepared.get(sql) ?? reading(db, rowSchema, sql);
    prepared.set(sql, statement);
    const values = [
      ...(runId === undefined ? [] : [runId]),
      ...(place ? [place.at, place.event] : []),
      limit,
    ];
    return statement.all(...values).map(parse);
  };
}

export function gateReader(db: Db): GateReader {
  const open = listReader(db, LISTS.open);
  const closed = listReader(db, LISTS.closed);
  const one = reading(db, rowSchema, `${SELECT} where g.run_id = ? and g.gate_id = ?`);
  return {
    gates: (query) => (query.status === 'open' ? open(query) : closed(query)),
    gate(runId, gateId) {
      const row = one.get(runId, gateId);
      return row === null ? null : parse(row);
    },
  };
}

const parseGate = parsing(gateRowSchema);

/** The question is in the event that opened the gate, with the same names as in the row. */
function parse({ body, answer, ...row }: z.infer<typeof rowSchema>): GateRow {
  const gate = parseGate(
    Object.assign(JSON.parse(body), row, { answer: answer === null ? null : JSON.parse(answer) }),
  );
  return { ...gate, cause: hashed(causeOf(gate)) };
}

/** Node takes milliseconds to load its crypto, which a start without questions does not wait for. */
const hashed = (text: string): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('base64url').slice(0, 16);

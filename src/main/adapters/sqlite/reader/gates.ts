import { type GateRow, gateRowSchema } from '@contract/gate/procedures';
import { z } from 'zod';
import type { StoreReader } from '../../../core/ports/store';
import { type Db, parsing, reading } from '../sql';

const rowSchema = z.lazy(() =>
  z.object({
    body: z.string(),
    answer: z.string().nullable(),
    runId: z.number(),
    runName: z.string(),
    status: z.string(),
    stepId: z.string().nullable(),
    stepTitle: z.string().nullable(),
    agent: z.string().nullable(),
    openedAt: z.number(),
    closedAt: z.number().nullable(),
    by: z.string().nullable(),
    snoozedUntil: z.number().nullable(),
  }),
);

const SELECT = `
  select e.body, g.answer, g.run_id as runId, r.name as runName, g.status, g.step_id as stepId,
    g.step_title as stepTitle, g.agent, g.opened_at as openedAt, g.closed_at as closedAt,
    g.answered_by as "by", g.snoozed_until as snoozedUntil
  from gates g join runs r on r.id = g.run_id join events e on e.id = g.opened_event`;

export type GateReader = Pick<StoreReader, 'gates' | 'gate'>;

/** The inbox shows what waits longest first, its history what was answered last. A run in the bin shows nothing. */
export function gateReader(db: Db): GateReader {
  const open = reading(
    db,
    rowSchema,
    `${SELECT} where g.closed_at is null and r.binned_at is null order by g.opened_at, g.opened_event limit ?`,
  );
  const closed = reading(
    db,
    rowSchema,
    `${SELECT} where g.closed_at is not null and r.binned_at is null
     order by g.closed_at desc, g.opened_event desc limit ?`,
  );
  const one = reading(db, rowSchema, `${SELECT} where g.run_id = ? and g.gate_id = ?`);
  return {
    gates: ({ status, limit }) => (status === 'open' ? open : closed).all(limit).map(parse),
    gate(runId, gateId) {
      const row = one.get(runId, gateId);
      return row === null ? null : parse(row);
    },
  };
}

const parseGate = parsing(gateRowSchema);

/** What was asked stands in the event that opened the gate, under the names that the row has. */
function parse({ body, answer, ...row }: z.infer<typeof rowSchema>): GateRow {
  return parseGate(
    Object.assign(JSON.parse(body), row, { answer: answer === null ? null : JSON.parse(answer) }),
  );
}

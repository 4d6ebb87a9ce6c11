import { deliveryRowSchema, deliverySubjectSchema } from '@areas/deliveries/contract/procedures';
import { updateSchema } from '@areas/feed/contract/update';
import { appErrorSchema } from '@contract/errors';
import { jsonSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { activationOutcomeSchema } from '@contract/run/activation/events';
import { z } from 'zod';
import type { DeliveryQuery, DeliveryReader, News, NextDelivery } from '../../../core/ports/store/deliveries';
import { type Db, type Reading, reading, readings, type SqlValue } from '../sql';
import { page } from './runs';

const COLUMNS = `d.id, d.event_id as eventId, d.run_id as runId, r.name as runName, d.target, d.subject, d.state, d.attempts,
  d.queued_at as queuedAt, d.next_at as nextAt, d.tried_at as triedAt, d.closed_at as closedAt, d.error, d.receipt, d.key`;

const nextSchema = lazyObject(() => ({
  id: z.number(),
  key: z.string(),
  attempts: z.number(),
  queuedAt: z.number(),
  nextAt: z.number(),
  runId: z.number(),
  runUid: z.string(),
  runName: z.string(),
  projectName: z.string().nullable(),
  eventId: z.number(),
  subject: deliverySubjectSchema,
  stepType: z.string().nullable(),
  stepTitle: z.string().nullable(),
  sessionId: z.number().nullable(),
  body: z.string(),
}));
const updateBody = lazyObject(() => ({ update: updateSchema, text: z.string() }));
const questionBody = z.object({ gateId: z.number() });
const waitBody = z.object({ dueAt: z.number() });
const endBody = lazyObject(() => ({
  outcome: activationOutcomeSchema,
  error: appErrorSchema.nullable(),
  receipt: z.record(z.string(), jsonSchema),
}));

/** Steps from run to run through the index of open deliveries, so that a run's long queue is not read. */
const NEXT = `
  with recursive
    mine(target) as (select ?),
    waiting(run_id) as (
      select min(run_id) from deliveries where target = (select target from mine) and closed_at is null
      union all
      select (select min(run_id) from deliveries where target = (select target from mine) and closed_at is null and run_id > w.run_id)
      from waiting w where w.run_id is not null),
    heads(id) as (
      select (select id from deliveries where target = (select target from mine) and closed_at is null and run_id = w.run_id
              order by event_id limit 1)
      from waiting w where w.run_id is not null)
  select d.id, d.key, d.attempts, d.queued_at as queuedAt, d.next_at as nextAt, d.run_id as runId, r.uid as runUid,
    r.name as runName, p.name as projectName, d.event_id as eventId, d.subject, a.step_type as stepType,
    a.step_title as stepTitle, t.session_id as sessionId, e.body
  from heads h cross join deliveries d on d.id = h.id cross join runs r on r.id = d.run_id
    cross join events e on e.id = d.event_id
    left join projects p on p.id = r.project_id
    left join announcements a on a.event_id = d.event_id
    left join turns t on t.run_id = d.run_id and t.turn_id = e.body ->> '$.turnId'
  order by d.next_at, d.event_id limit 1`;

const countSchema = z.object({ count: z.number() });
const atSchema = z.object({ at: z.number().nullable() });
const troubleSchema = lazyObject(() => ({
  error: z.string(),
  since: z.number(),
  tries: z.number(),
  nextAt: z.number(),
}));

export function deliveryReader(db: Db): DeliveryReader {
  const next = reading(db, nextSchema, NEXT);
  const select = readings(db, deliveryRowSchema);
  const open = reading(
    db,
    countSchema,
    'select count(*) as count from deliveries where target = ? and closed_at is null',
  );
  const givenUp = reading(
    db,
    countSchema,
    "select count(*) as count from deliveries where target = ? and state = 'given_up'",
  );
  const last = reading(
    db,
    atSchema,
    "select max(closed_at) as at from deliveries where target = ? and state = 'delivered'",
  );
  const trouble = reading(
    db,
    troubleSchema,
    `select error, min(queued_at) over () as since, attempts as tries, next_at as nextAt from deliveries
     where target = ? and closed_at is null and error is not null order by tried_at desc limit 1`,
  );
  return {
    nextDelivery(target) {
      const found = next.get(target);
      return found === null ? null : parseNext(found);
    },
    deliveries: (query) => page(listed(select, query), query.limit),
    targetStates: (targets) =>
      targets.map((target) => ({
        target,
        open: open.get(target)?.count ?? 0,
        givenUp: givenUp.get(target)?.count ?? 0,
        lastDeliveredAt: last.get(target)?.at ?? null,
        trouble: trouble.get(target),
      })),
  };
}

function parseNext(row: z.infer<typeof nextSchema>): NextDelivery {
  const { body, subject, stepType, stepTitle, ...rest } = row;
  return { ...rest, news: newsOf(row) };
}

function newsOf({ body, subject, stepType, stepTitle }: z.infer<typeof nextSchema>): News {
  const json: unknown = JSON.parse(body);
  const step = { type: stepType ?? '', title: stepTitle ?? '' };
  switch (subject) {
    case 'update':
      return { subject, ...updateBody.parse(json) };
    case 'question':
      return { subject, step, ...questionBody.parse(json) };
    case 'wait':
      return { subject, step, ...waitBody.parse(json) };
    case 'end':
      return { subject, step, ...endBody.parse(json) };
  }
}

function listed(
  select: (sql: string) => Reading<z.infer<typeof deliveryRowSchema>>,
  { eventId, target, state, before, limit }: DeliveryQuery,
) {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  const and = (part: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    parts.push(part);
    values.push(value);
  };
  and('d.event_id = ?', eventId);
  and('d.target = ?', target);
  and('d.state = ?', state);
  and('d.id < ?', before);
  const where = parts.length === 0 ? '' : `where ${parts.join(' and ')}`;
  const sql = `select ${COLUMNS} from deliveries d cross join runs r on r.id = d.run_id ${where}
    order by d.id desc limit ?`;
  return select(sql).all(...values, limit + 1);
}

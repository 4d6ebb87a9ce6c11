import { randomUUID } from 'node:crypto';
import { type SharedRecord, sharedRecordSchema } from '@areas/server/contract/records';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import { eventKinds, type RunEvent } from '@contract/run/events';
import { z } from 'zod';
import type { Followed, Position, SharedEntry } from '../../../../main/core/ports/store/shared-log';
import type { Connection } from './connection';
import { SCHEMA, SCHEMA_VERSION } from './schema';

/** Consecutive events of one run, by the holder of its lease. */
export interface RunAppend {
  readonly runId: number;
  readonly uid: string;
  readonly epoch: number;
  readonly expectedSeq: number;
  readonly events: readonly { readonly at: number; readonly event: RunEvent }[];
  readonly finished: boolean;
}

/** Entries in the order of the log, and where the next ones begin. */
interface LogPage {
  readonly entries: readonly SharedEntry[];
  readonly position: Position;
  /** Every transaction before this one has ended, and its entries are in this page or an earlier one. */
  readonly horizon: bigint | null;
}

interface VersionedRecord {
  readonly record: SharedRecord;
  readonly version: number;
}

export const BEGINNING: Position = { era: 0, xid: '0', id: 0 };

/** Entries of one page: it is one transaction of the read model. */
const PAGE = 1_000;

const LOCK = 'select pg_advisory_xact_lock(6120115)';

/**
 * One statement for many runs. A run is written only if its lease and its last event are as expected; the row of
 * its lease orders this against a server that takes it over.
 */
const APPEND = `
with asked as (
  select * from unnest($3::bigint[], $4::text[], $5::int[], $6::int[], $7::int[], $8::boolean[], $9::uuid[])
    as a (run, uid, epoch, expected, count, finished, token)
), begun as (
  insert into muster.leases (run, uid, head, epoch, holder, finished, last_append)
  select run, uid, count, 1, $2::uuid, finished, token from asked where expected = 0
  on conflict do nothing
  returning run
), moved as (
  update muster.leases l set head = l.head + a.count, finished = a.finished, last_append = a.token
  from asked a
  where a.expected > 0 and l.run = a.run and l.head = a.expected and l.epoch = a.epoch and l.holder = $2::uuid
  returning l.run
), taken as (
  select run from begun union all select run from moved
), put as (
  insert into muster.log (era, kind, run, seq, at, body)
  select $1::int, 'event', e.run, e.seq, e.at, e.body
  from unnest($10::bigint[], $11::int[], $12::bigint[], $13::text[]) with ordinality as e (run, seq, at, body, n)
  join taken using (run) order by e.n
)
select run::float8 as run, pg_current_xact_id()::text as xid, pg_notify('muster_log', $2::text)::text as told from taken`;

/** $5: the version that is to be replaced; null for any. */
const PUT_RECORD = `
with put as (
  insert into muster.records as r (kind, key, version, body) values ($2, $3, 1, $4)
  on conflict (kind, key) do update set version = r.version + 1, body = excluded.body
  where $5::int is null or r.version = $5
  returning version
), logged as (
  insert into muster.log (era, kind, body)
  select $1::int, 'record', jsonb_build_object('record', $4::text, 'version', version)::text from put
)
select version, pg_current_xact_id()::text as xid, pg_notify('muster_log', $6)::text as told from put`;

const PURGE = `
with gone as (
  delete from muster.leases where run = $2 and finished returning run
), emptied as (
  update muster.log set kind = 'purged', seq = null, at = null, body = '' where run in (select run from gone) and kind = 'event'
)
insert into muster.log (era, kind, run, body) select $1::int, 'purge', run, '' from gone
returning pg_current_xact_id()::text as xid, pg_notify('muster_log', $3)::text as told`;

const READ = `
with seen as (select pg_snapshot_xmin(pg_current_snapshot()) as horizon)
select s.horizon::text as horizon, l.era, l.xid::text as xid, l.id::float8 as id, l.kind, l.run::float8 as run, l.seq,
  l.at::float8 as at, l.body
from seen s left join lateral (
  select * from muster.log where (era, xid, id) > ($1::int, $2::text::xid8, $3::bigint)
    and (era < $4::int or xid < s.horizon)
  order by era, xid, id limit ${PAGE}
) l on true`;

const takenSchema = z.object({ run: z.number(), xid: z.string() });
const headSchema = z.object({
  run: z.number(),
  head: z.number(),
  epoch: z.number(),
  last_append: z.string(),
  holder: z.string().nullable(),
  name: z.string().nullable(),
});
const rowSchema = z.object({
  horizon: z.string(),
  era: z.number().nullable(),
  xid: z.string().nullable(),
  id: z.number().nullable(),
  kind: z.string().nullable(),
  run: z.number().nullable(),
  seq: z.number().nullable(),
  at: z.number().nullable(),
  body: z.string().nullable(),
});
const loggedSchema = z.object({ record: z.string(), version: z.number() });
const aboutSchema = z.object({ version: z.number(), log: z.string() });
const anySchema = z.object({});

const eventSchemas = new Map<string, z.ZodType<RunEvent>>(
  eventKinds.map(({ type, schema }) => [type, schema]),
);

function parsedEvent(body: string): RunEvent {
  const raw: unknown = JSON.parse(body);
  const { type } = z.object({ type: z.string() }).parse(raw);
  const schema = eventSchemas.get(type);
  if (schema === undefined) throw new Error(`the shared log has an event "${type}" of a newer Muster`);
  return schema.parse(raw);
}

function entryOf({ kind, run, seq, at, body }: z.infer<typeof rowSchema>): SharedEntry {
  if (kind === 'event' && run !== null && seq !== null && at !== null)
    return { kind, runId: run, seq, at, event: parsedEvent(body ?? '') };
  if (kind === 'record') {
    const { record, version } = loggedSchema.parse(JSON.parse(body ?? ''));
    return { kind, version, record: sharedRecordSchema.parse(JSON.parse(record)) };
  }
  if (kind === 'purge' && run !== null) return { kind, runId: run };
  if (kind === 'purged') return { kind };
  throw new Error(`the shared log has an entry "${kind}" of a newer Muster`);
}

/** The log in PostgreSQL. Each method is one try: its caller repeats it while PostgreSQL is away. */
export class PostgresLog {
  /** This process, as holder of leases. */
  readonly server: string;
  readonly log: string;
  private readonly era: number;

  private constructor(
    private readonly connection: Connection,
    { server, log, era }: { readonly server: string; readonly log: string; readonly era: number },
  ) {
    this.server = server;
    this.log = log;
    this.era = era;
  }

  /** Makes the tables where there are none. */
  static async open(connection: Connection, server: string): Promise<Result<PostgresLog>> {
    const [made] = await connection.query(
      z.object({ made: z.boolean() }),
      "select to_regclass('muster.about') is not null as made",
    );
    if (made?.made !== true) await create(connection);
    const [about] = await connection.query(aboutSchema, 'select version, log::text as log from muster.about');
    if (about === undefined) return fail('store.damaged', 'The shared log says nothing about itself.');
    if (about.version > SCHEMA_VERSION) {
      return fail(
        'store.newer',
        `The shared log has the tables of a newer Muster (version ${about.version}).`,
        {
          mend: 'update this Muster',
        },
      );
    }
    return ok(new PostgresLog(connection, { server, log: about.log, era: await eraOf(connection) }));
  }

  /** The result for each append, in order. All of one run are in one append. */
  async append(appends: readonly RunAppend[], tokens: readonly string[]): Promise<Result<bigint>[]> {
    const rows = appends.flatMap(({ runId, expectedSeq, events }) =>
      events.map(({ at, event }, index) => ({
        runId,
        at,
        seq: expectedSeq + index + 1,
        body: JSON.stringify(event),
      })),
    );
    const taken = await this.connection.query(takenSchema, APPEND, [
      ...[this.era, this.server],
      appends.map(({ runId }) => runId),
      appends.map(({ uid }) => uid),
      appends.map(({ epoch }) => epoch),
      appends.map(({ expectedSeq }) => expectedSeq),
      appends.map(({ events }) => events.length),
      appends.map(({ finished }) => finished),
      tokens,
      rows.map(({ runId }) => runId),
      rows.map(({ seq }) => seq),
      rows.map(({ at }) => at),
      rows.map(({ body }) => body),
    ]);
    const xids = new Map(taken.map(({ run, xid }) => [run, BigInt(xid)]));
    const refused = appends.filter(({ runId }) => !xids.has(runId));
    const heads = refused.length === 0 ? new Map() : await this.heads(refused.map(({ runId }) => runId));
    return appends.map((append, index) => {
      const xid = xids.get(append.runId);
      if (xid !== undefined) return ok(xid);
      const head = heads.get(append.runId);
      // An earlier try was done, and its answer was lost: the token is its mark.
      if (head?.last_append === tokens[index]) return ok(-1n);
      return err(refusalOf(append, head, this.server));
    });
  }

  private async heads(runs: readonly number[]): Promise<Map<number, z.infer<typeof headSchema>>> {
    const rows = await this.connection.query(
      headSchema,
      `select run::float8 as run, head, epoch, last_append::text as last_append, holder::text as holder, s.name
       from muster.leases l left join muster.servers s on s.id = l.holder where run = any($1::bigint[])`,
      [runs],
    );
    return new Map(rows.map((row) => [row.run, row]));
  }

  /** Up to the horizon: a transaction that still runs may have an earlier number than one that has ended. */
  async read({ era, xid, id }: Position): Promise<LogPage> {
    const rows = await this.connection.query(rowSchema, READ, [era, xid, id, this.era]);
    const found = rows.filter((row) => row.id !== null);
    const last = found.at(-1);
    const position =
      last === undefined ? { era, xid, id } : { era: last.era ?? 0, xid: last.xid ?? '0', id: last.id ?? 0 };
    const horizon = found.length < PAGE ? BigInt(rows[0]?.horizon ?? 0) : null;
    return { entries: found.map(entryOf), position, horizon };
  }

  /** No transaction so far is later than this one. */
  async latest(): Promise<bigint> {
    const [row] = await this.connection.query(
      z.object({ xid: z.string() }),
      'select pg_snapshot_xmax(pg_current_snapshot())::text as xid',
    );
    return BigInt(row?.xid ?? 0);
  }

  /** Whether the log has the entry up to which a read model follows it: not after an older backup was restored. */
  async has({ log, position: { era, xid, id } }: Followed): Promise<boolean> {
    if (log !== this.log) return false;
    if (id === 0) return true;
    const found = await this.connection.query(
      anySchema,
      'select 1 from muster.log where era = $1 and xid = $2::text::xid8 and id = $3::bigint',
      [era, xid, id],
    );
    return found.length > 0;
  }

  async putRecord(record: SharedRecord, expected: number | null): Promise<Result<bigint>> {
    const body = JSON.stringify(record);
    const values = [this.era, record.kind, record.key, body, expected, this.server];
    const [put] = await this.connection.query(z.object({ xid: z.string() }), PUT_RECORD, values);
    if (put !== undefined) return ok(BigInt(put.xid));
    const now = await this.record(record.kind, record.key);
    // An earlier try was done, and its answer was lost.
    if (
      now !== null &&
      now.version === (expected ?? 0) + 1 &&
      JSON.stringify(now.record) === JSON.stringify(sharedRecordSchema.parse(JSON.parse(body)))
    )
      return ok(-1n);
    return fail('conflict', `Another server has changed this ${record.kind} meanwhile.`, {
      mend: 'look at it again, then repeat the change',
    });
  }

  async record(kind: string, key: string): Promise<VersionedRecord | null> {
    const [found] = await this.records('where kind = $1 and key = $2', [kind, key]);
    return found ?? null;
  }

  async records(where = '', values: readonly string[] = []): Promise<VersionedRecord[]> {
    const rows = await this.connection.query(
      z.object({ version: z.number(), body: z.string() }),
      `select version, body from muster.records ${where} order by kind, key`,
      values,
    );
    return rows.map(({ version, body }) => ({ version, record: sharedRecordSchema.parse(JSON.parse(body)) }));
  }

  /** Empties the events of a finished run. */
  async purge(runId: number): Promise<bigint> {
    const [row] = await this.connection.query(z.object({ xid: z.string() }), PURGE, [
      this.era,
      runId,
      this.server,
    ]);
    return BigInt(row?.xid ?? -1);
  }

  async nextNumber(of: 'run_numbers' | 'project_numbers'): Promise<number> {
    const [row] = await this.connection.query(
      z.object({ value: z.number() }),
      `select nextval('muster.${of}')::float8 as value`,
    );
    return row?.value ?? 0;
  }

  token(): string {
    return randomUUID();
  }
}

function refusalOf(
  { runId, uid, expectedSeq }: RunAppend,
  head: z.infer<typeof headSchema> | undefined,
  server: string,
): AppError {
  if (expectedSeq === 0) return appError('conflict', `There is a run ${uid} already.`);
  if (head === undefined) return appError('not_found', `There is no run ${runId} in the shared log.`);
  if (head.holder !== server) return elsewhere(runId, head.name);
  return appError(
    'conflict',
    `Run ${runId} is at event ${head.head}, not at ${expectedSeq}, in epoch ${head.epoch} of its lease.`,
  );
}

/** The run is decided by another server. */
export const elsewhere = (runId: number, name: string | null): AppError =>
  name === null
    ? appError('run.elsewhere', `Run ${runId} is not decided by this server any more.`, { mend: 'try again' })
    : appError('run.elsewhere', `Run ${runId} is decided by the server ${name}.`, {
        mend: `send the command to ${name}`,
      });

async function create(connection: Connection): Promise<void> {
  try {
    await connection.together([{ text: LOCK }, { text: SCHEMA }]);
  } catch (cause) {
    // 42P06, 42P07: another server was faster.
    if (!(cause instanceof Error && 'code' in cause && (cause.code === '42P06' || cause.code === '42P07')))
      throw cause;
  }
}

/** After a restore from a dump the numbers of transactions begin again, so this cluster begins an era. */
async function eraOf(connection: Connection): Promise<number> {
  const eraSchema = z.object({ era: z.number() });
  await connection.together([
    { text: LOCK },
    {
      text: `insert into muster.eras (cluster)
        select system_identifier::text from pg_control_system()
        where system_identifier::text is distinct from (select cluster from muster.eras order by era desc limit 1)`,
    },
  ]);
  const [row] = await connection.query(eraSchema, 'select max(era) as era from muster.eras');
  return row?.era ?? 1;
}

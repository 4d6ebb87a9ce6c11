import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { SharedEntry } from '../../../../main/core/ports/store/shared-log';
import { testPostgres } from '../testing/postgres';
import { started } from '../testing/started';
import { Connection, isAway } from './connection';
import { PostgresLeases } from './leases';
import { BEGINNING, PostgresLog, type RunAppend } from './log';

let postgres: Awaited<ReturnType<typeof testPostgres>>;
let connection: Connection;
beforeAll(async () => {
  postgres = await testPostgres();
  connection = new Connection(postgres.url);
});
afterAll(async () => {
  await connection.close();
  await postgres.remove();
});
beforeEach(() =>
  connection.patiently(() => connection.together([{ text: 'drop schema if exists muster cascade' }])),
);

async function server(name: string) {
  const id = randomUUID();
  const opened = await PostgresLog.open(connection, id);
  if (!opened.ok) throw new Error(opened.error.message);
  const leases = new PostgresLeases(connection, { id, name });
  await leases.renew();
  return { id, log: opened.value, leases };
}

const first = (runId: number, uid = `run-${runId}`): RunAppend => ({
  runId,
  uid,
  epoch: 1,
  expectedSeq: 0,
  events: [{ at: 1, event: started(uid) }],
  finished: false,
});
const next = (runId: number, expectedSeq: number, more: Partial<RunAppend> = {}): RunAppend => ({
  ...first(runId),
  expectedSeq,
  events: [{ at: 2, event: { type: 'run.binned', by: 'operator' } }],
  ...more,
});

const put = async ({ log }: { log: PostgresLog }, ...appends: RunAppend[]) =>
  (
    await log.append(
      appends,
      appends.map(() => log.token()),
    )
  ).map((one) => (one.ok ? 'ok' : one.error.code));

const places = (entries: readonly SharedEntry[]) =>
  entries.map((one) => (one.kind === 'event' ? `${one.runId}/${one.seq}` : one.kind));

test('an append is refused where the run is at another event, and the others of its batch are written', async () => {
  const a = await server('a');
  expect(await put(a, first(1), first(2))).toEqual(['ok', 'ok']);
  expect(await put(a, next(1, 1), next(2, 5))).toEqual(['ok', 'conflict']);
  expect(await put(a, first(3, 'run-1'))).toEqual(['conflict']);
  expect(places((await a.log.read(BEGINNING)).entries)).toEqual(['1/1', '2/1', '1/2']);
});

test('an append with an old epoch is refused after another server has taken the run over', async () => {
  const [a, b] = [await server('a'), await server('b')];
  await put(a, first(1));
  expect(await b.leases.claimAll()).toEqual([]);
  expect(await b.leases.claim(1)).toMatchObject({
    ok: false,
    error: { code: 'run.elsewhere', message: 'Run 1 is decided by the server a.' },
  });
  await a.leases.leave();
  expect(await b.leases.claimAll()).toEqual([{ run: 1, epoch: 2 }]);
  await a.leases.renew();
  expect(await put(a, next(1, 1))).toEqual(['run.elsewhere']);
  expect(await put(b, next(1, 1))).toEqual(['conflict']);
  expect(await put(b, next(1, 1, { epoch: 2 }))).toEqual(['ok']);
  expect(await a.leases.lost([{ run: 1, epoch: 1 }])).toEqual([1]);
});

test('an append that is repeated after its answer was lost is done once', async () => {
  const a = await server('a');
  await put(a, first(1));
  const token = a.log.token();
  const append = next(1, 1);
  await a.log.append([append], [token]);
  expect(await a.log.append([append], [token])).toEqual([{ ok: true, value: -1n }]);
  expect(places((await a.log.read(BEGINNING)).entries)).toEqual(['1/1', '1/2']);
});

test('a reader that has passed a commit never meets an earlier one, because it waits for transactions that still run', async () => {
  const a = await server('a');
  const slow = new pg.Client({ connectionString: postgres.url });
  await slow.connect();
  // The slow transaction has an earlier number than that of run 1, and commits after it.
  await slow.query('begin');
  await slow.query(
    "insert into muster.log (era, kind, run, seq, at, body) values (1, 'purge', 7, null, null, '')",
  );
  await put(a, first(1));
  const before = await a.log.read(BEGINNING);
  expect(places(before.entries)).toEqual([]);
  await slow.query('commit');
  await slow.end();
  const after = await a.log.read(before.position);
  expect(places(after.entries)).toEqual(['purge', '1/1']);
  expect((await a.log.read(after.position)).entries).toEqual([]);
});

test('a log that was restored into another cluster is continued after what it held', async () => {
  const a = await server('a');
  await put(a, first(1));
  // As after a dump and restore: the entries have numbers that this cluster has not reached.
  await connection.together([
    { text: "update muster.eras set cluster = 'another'" },
    { text: "update muster.log set xid = '999999999'" },
  ]);
  const b = await server('b');
  await put(b, first(2));
  expect(places((await b.log.read(BEGINNING)).entries)).toEqual(['1/1', '2/1']);
});

test('a record with an old version is refused, and a new one is in the log', async () => {
  const a = await server('a');
  const record = (value: unknown) => ({ kind: 'setting', key: 'theme', body: { value } }) as const;
  expect((await a.log.putRecord(record('dark'), 0)).ok).toBe(true);
  expect((await a.log.putRecord(record('light'), 1)).ok).toBe(true);
  expect(await a.log.putRecord(record('blue'), 1)).toMatchObject({ error: { code: 'conflict' } });
  expect(await a.log.records()).toEqual([{ record: record('light'), version: 2 }]);
  expect((await a.log.read(BEGINNING)).entries).toEqual([
    { kind: 'record', record: record('dark'), version: 1 },
    { kind: 'record', record: record('light'), version: 2 },
  ]);
});

test('a purged run leaves empty entries in its place, so that later events keep their numbers', async () => {
  const a = await server('a');
  await put(a, first(1), first(2));
  await put(a, next(1, 1, { finished: true }));
  await a.log.purge(1);
  expect(places((await a.log.read(BEGINNING)).entries)).toEqual(['purged', '2/1', 'purged', 'purge']);
});

test('a database that is away for a while is waited for', async () => {
  const a = await server('a');
  let sawAway = false;
  connection.onAway((away) => {
    sawAway ||= away !== null;
  });
  const append = first(1);
  const token = a.log.token();
  const cutOff = async (): Promise<never> => {
    const asleep = connection.query(z.unknown(), 'select pg_sleep(600)');
    process.kill(postgres.pid() ?? 0, 'SIGQUIT');
    await asleep;
    throw new Error('PostgreSQL went on');
  };
  const appended = await connection.patiently((again) =>
    again ? a.log.append([append], [token]) : cutOff(),
  );
  expect(appended).toMatchObject([{ ok: true }]);
  expect([isAway(new Error('Connection terminated unexpectedly')), isAway(new Error('a bug'))]).toEqual([
    true,
    false,
  ]);
  expect(sawAway).toBe(true);
});

import { err, ok, type Result } from '@contract/result';
import { z } from 'zod';
import { LEASE_MS } from '../../../../main/limits/core';
import type { Connection } from './connection';
import { elsewhere } from './log';

interface Claimed {
  readonly run: number;
  readonly epoch: number;
}

const claimedSchema = z.object({ run: z.number(), epoch: z.number() });

/** All times are those of PostgreSQL: the clocks of servers differ. */
const LIVES = `select 1 from muster.servers s where s.id = l.holder
  and s.seen > clock_timestamp() - interval '${LEASE_MS} milliseconds'`;

const CLAIM_ALL = `
update muster.leases l set holder = $1, epoch = epoch + 1
where l.run in (
  select l.run from muster.leases l
  where not l.finished and l.holder is distinct from $1 and not exists (${LIVES})
  order by l.run limit 200 for update skip locked)
returning l.run::float8 as run, l.epoch`;

const CLAIM_ONE = `
update muster.leases l set holder = $1, epoch = epoch + 1
where l.run = $2 and (l.holder = $1 or not exists (${LIVES}))
returning l.run::float8 as run, l.epoch`;

/** Which server decides which run. A lease is as long as its server lives. */
export class PostgresLeases {
  constructor(
    private readonly connection: Connection,
    private readonly server: { readonly id: string; readonly name: string },
  ) {}

  /** Says that this server lives. */
  async renew(): Promise<void> {
    await this.connection.query(
      z.object({}),
      `insert into muster.servers (id, name, seen) values ($1, $2, clock_timestamp())
       on conflict (id) do update set name = excluded.name, seen = excluded.seen`,
      [this.server.id, this.server.name],
    );
  }

  /** Takes over unfinished runs that no living server holds. */
  claimAll(): Promise<Claimed[]> {
    return this.connection.query(claimedSchema, CLAIM_ALL, [this.server.id]);
  }

  async claim(runId: number): Promise<Result<Claimed>> {
    const [claimed] = await this.connection.query(claimedSchema, CLAIM_ONE, [this.server.id, runId]);
    if (claimed !== undefined) return ok(claimed);
    const [holder] = await this.connection.query(
      z.object({ name: z.string().nullable() }),
      'select s.name from muster.leases l left join muster.servers s on s.id = l.holder where l.run = $1',
      [runId],
    );
    return err(elsewhere(runId, holder?.name ?? null));
  }

  /** The run is not decided by anyone until it is claimed. */
  async release({ run, epoch }: Claimed): Promise<void> {
    await this.connection.query(
      z.object({}),
      'update muster.leases set holder = null where run = $1 and holder = $2 and epoch = $3',
      [run, this.server.id, epoch],
    );
  }

  /** Of these runs, those that another server has taken over. */
  async lost(runs: readonly Claimed[]): Promise<number[]> {
    const rows = await this.connection.query(
      z.object({ run: z.number() }),
      `select a.run::float8 as run from unnest($2::bigint[], $3::int[]) as a (run, epoch)
       left join muster.leases l on l.run = a.run where l.holder is distinct from $1 or l.epoch <> a.epoch`,
      [this.server.id, runs.map(({ run }) => run), runs.map(({ epoch }) => epoch)],
    );
    return rows.map(({ run }) => run);
  }

  /** This server ends in order: others need not wait. A server of the same name that died is forgotten too. */
  async leave(): Promise<void> {
    await this.connection.query(z.object({}), 'delete from muster.servers where id = $1', [this.server.id]);
  }

  /** A restarted server has its runs back at once: what had its name is gone, because its folder was free. */
  async replace(earlier: string): Promise<void> {
    await this.connection.query(z.object({}), 'delete from muster.servers where id = $1', [earlier]);
  }
}

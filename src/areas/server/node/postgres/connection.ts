import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { z } from 'zod';
import { POSTGRES_ANSWER_MS, POSTGRES_CONNECT_MS, POSTGRES_RETRY_MS } from '../../../../main/limits/core';

/** States of PostgreSQL: it starts, ends, or has no connection left. Class 08 is about the connection itself. */
const AWAY_STATES = /^(08|57P0[1-3]|53300)/;
const AWAY_CODES = /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOST|ENET|ENOENT|ECANCELED)/;
const AWAY_WORDS = /connection terminated|timeout|not queryable|connection error/i;

/** Whether this is about the way to PostgreSQL, and the same statement may succeed later. */
export function isAway(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return AWAY_STATES.test(code) || AWAY_CODES.test(code) || (code === '' && AWAY_WORDS.test(cause.message));
}

class ClosedError extends Error {}

type Value = string | number | boolean | null | readonly (string | number | boolean | null)[];

/** Connections to one database, which may go away and come back. */
export class Connection {
  readonly #pool: pg.Pool;
  readonly #url: string;
  readonly #listeners = new Set<(away: string | null) => void>();
  #away: string | null = null;
  #closed = false;
  #listening: pg.Client | null = null;

  constructor(url: string) {
    this.#url = url;
    this.#pool = new pg.Pool({ connectionString: url, max: 4, ...limits });
    // An idle connection that breaks is replaced by the next statement. In use, its statement fails, and that is enough.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Why PostgreSQL cannot be reached now; null if it can. */
  away(): string | null {
    return this.#away;
  }

  onAway(listener: (away: string | null) => void): void {
    this.#listeners.add(listener);
  }

  /** One try; throws what PostgreSQL says. */
  async query<S extends z.ZodType>(
    row: S,
    text: string,
    values: readonly Value[] = [],
  ): Promise<z.output<S>[]> {
    if (this.#closed) throw new ClosedError('the connection to PostgreSQL is closed');
    const { rows } = await this.#pool.query({ text, values: [...values] });
    return rows.map((one) => row.parse(one));
  }

  /** Statements that are done together or not at all. */
  async together(
    statements: readonly { readonly text: string; readonly values?: readonly Value[] }[],
  ): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      for (const { text, values = [] } of statements) await client.query(text, [...values]);
      await client.query('commit');
      client.release();
    } catch (cause) {
      client.release(true);
      throw cause;
    }
  }

  /** Repeats `work` while PostgreSQL is away; `again` tells it that an earlier try may have been done. */
  async patiently<T>(work: (again: boolean) => Promise<T>): Promise<T> {
    let pause: number = POSTGRES_RETRY_MS.first;
    for (let again = false; ; again = true) {
      try {
        const done = await work(again);
        this.tell(null);
        return done;
      } catch (cause) {
        if (this.#closed) throw new ClosedError('the connection to PostgreSQL is closed');
        if (!isAway(cause)) throw cause;
        this.tell(cause instanceof Error ? cause.message : String(cause));
      }
      await sleep(pause);
      pause = Math.min(pause * 2, POSTGRES_RETRY_MS.longest);
    }
  }

  /** Calls back for each notification, and after each gap in which some may have been lost. */
  async listen(channel: string, notified: (payload: string | null) => void): Promise<void> {
    await this.patiently(async () => {
      const client = new pg.Client({ connectionString: this.#url, ...limits });
      let over = false;
      const again = (): void => {
        if (over) return;
        over = true;
        this.#listening = null;
        client.end().catch(() => undefined);
        if (!this.#closed) this.listen(channel, notified).catch(() => undefined);
      };
      client.on('error', again);
      client.on('end', again);
      client.on('notification', ({ payload }) => notified(payload ?? null));
      try {
        await client.connect();
        await client.query(`listen ${channel}`);
      } catch (cause) {
        over = true;
        client.end().catch(() => undefined);
        throw cause;
      }
      this.#listening = client;
      notified(null);
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const listening = this.#listening;
    await Promise.allSettled([this.#pool.end(), listening?.end()]);
  }

  private tell(away: string | null): void {
    if ((away === null) === (this.#away === null)) return;
    this.#away = away;
    for (const listener of this.#listeners) listener(away);
  }
}

const limits = {
  connectionTimeoutMillis: POSTGRES_CONNECT_MS,
  query_timeout: POSTGRES_ANSWER_MS,
  keepAlive: true,
  application_name: 'muster',
} as const;

import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import type { Push, RpcReply, Topic } from '@contract/ipc';
import { err, ok, type Result } from '@contract/result';
import { type FromCore, fromCoreSchema, type SocketEndpoint } from '@contract/system/host';
import { CoreSocket } from '../../api/client/core-socket';
import { callsOfOpenCore } from '../../api/client/pending-calls';
import type { Following } from '../../api/core-service';
import { readEndpoint } from '../../api/socket/endpoint-file';
import { CORE_CLOSES_MS, CORE_GREETS_MS } from '../../limits/command-line';
import type { Link } from './link';

const ENDED = appError('unavailable', 'the running Muster has ended', {
  mend: 'check whether it was done, then try again',
});

/** The core behind an endpoint file, if it works on this database; null if none answers. */
export async function connectCore(endpointFile: string, dbPath?: string): Promise<Result<CoreClient> | null> {
  const endpoint = readEndpoint(endpointFile);
  if (endpoint === null) return null;
  const client = new CoreClient(endpoint);
  const trouble = await client.ready;
  const other = endpoint.dbPath;
  if (trouble === null && dbPath !== undefined && other !== undefined && !sameFile(dbPath, other)) {
    await client.close();
    return err(anotherDatabase({ ...endpoint, dbPath: other }, dbPath));
  }
  if (trouble === null) return ok(client);
  // The endpoint file is a leftover, or the core is just ending: as if there were none.
  const gone = trouble === ENDED || readEndpoint(endpointFile)?.token !== endpoint.token;
  return gone ? null : err(trouble);
}

const settled = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
};
const sameFile = (one: string, other: string): boolean => settled(one) === settled(other);

const anotherDatabase = ({ pid, dbPath }: { pid: number; dbPath: string }, wanted: string): AppError =>
  appError('unavailable', `the running Muster (process ${pid}) uses another database: ${dbPath}`, {
    where: { file: wanted },
    mend: `pass that database (--db), end that Muster, or use another data folder (--data-dir)`,
  });

/** A core in another process, over its local socket. */
export class CoreClient implements Link {
  readonly kind = 'attached';
  /** Null once it is ready, else the error. */
  readonly ready: Promise<AppError | null>;
  readonly lost: Promise<void>;
  private readonly socket: CoreSocket;
  private readonly calls = callsOfOpenCore((call) => this.socket.send({ kind: 'rpc', ...call }));
  private readonly followers = new Map<
    object,
    { topics: readonly Topic[]; listener: (pushes: Push[]) => void }
  >();
  private api: string | null = null;
  private end: AppError = ENDED;
  private settleReady: (trouble: AppError | null) => void = () => undefined;

  constructor(private readonly endpoint: SocketEndpoint) {
    this.ready = new Promise((resolve) => {
      const late = setTimeout(() => this.giveUp(this.silent()), CORE_GREETS_MS);
      this.settleReady = (trouble) => {
        clearTimeout(late);
        resolve(trouble);
      };
    });
    let lose = (): void => undefined;
    this.lost = new Promise((resolve) => {
      lose = resolve;
    });
    this.socket = new CoreSocket(endpoint, {
      message: (raw) => this.read(raw),
      closed: (trouble) => {
        if (trouble?.kind === 'unreadable') this.end = this.strange();
        this.settleReady(this.end);
        this.calls.refuse(this.end);
        lose();
      },
    });
  }

  get pid(): number {
    return this.endpoint.pid;
  }

  apiAddress(): string | null {
    return this.api;
  }

  call(name: string, input: unknown): Promise<RpcReply> {
    return this.calls.add(name, input);
  }

  follow(topics: readonly Topic[], listener: (pushes: readonly Push[]) => void): Following {
    const key = {};
    const change = (wanted: readonly Topic[]): void => {
      this.followers.set(key, { topics: wanted, listener });
      this.subscribe();
    };
    change(topics);
    return {
      change,
      end: () => {
        this.followers.delete(key);
        this.subscribe();
      },
    };
  }

  takeUp(): Promise<void> {
    return Promise.resolve();
  }

  working(): readonly number[] {
    return [];
  }

  guests(): number {
    return 0;
  }

  async close(): Promise<void> {
    this.socket.end();
    const late = setTimeout(() => this.socket.destroy(), CORE_CLOSES_MS);
    await this.lost;
    clearTimeout(late);
  }

  private subscribe(): void {
    const topics = [...new Set([...this.followers.values()].flatMap((follower) => follower.topics))];
    this.socket.send({ kind: 'subscribe', topics });
  }

  private read(raw: unknown): void {
    const message = fromCoreSchema.safeParse(raw);
    if (message.success) this.take(message.data);
    else this.giveUp(this.strange());
  }

  private take(message: FromCore): void {
    switch (message.kind) {
      case 'ready':
        this.api = message.apiAddress;
        return this.settleReady(null);
      case 'fatal':
        return this.giveUp(message.error);
      case 'reply':
        return this.calls.reply(message.id, message.reply);
      case 'push':
        for (const { listener } of [...this.followers.values()]) listener(message.pushes);
        return;
      case 'api':
        this.api = message.address;
        return;
      case 'packed':
      case 'stopped':
        return;
    }
  }

  private giveUp(why: AppError): void {
    this.end = why;
    this.socket.destroy();
  }

  private silent(): AppError {
    return appError('unavailable', `the running Muster (process ${this.pid}) does not answer`, {
      mend: 'try again in a minute; if it still does not answer, quit Muster and start it again: runs are safe on disk',
    });
  }

  private strange(): AppError {
    const { pid, version } = this.endpoint;
    return appError(
      'unavailable',
      `the running Muster (process ${pid}, version ${version}) uses another protocol`,
      {
        mend: 'use the command line of the same version',
      },
    );
  }
}

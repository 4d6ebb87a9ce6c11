import { realpathSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import type { Push, RpcReply, Topic } from '@contract/ipc';
import { SOCKET_LINE_BYTES } from '@contract/limits';
import { err, ok, type Result } from '@contract/result';
import { type FromCore, fromCoreSchema, type SocketEndpoint } from '@contract/system/host';
import type { Following } from '../../api/core-service';
import { readEndpoint } from '../../api/socket/endpoint-file';
import { LineReader, line, parseLine } from '../../api/socket/lines';
import { CORE_CLOSES_MS, CORE_GREETS_MS } from '../../limits/command-line';
import type { Link } from './link';

const ENDED = appError('unavailable', 'the running Muster has ended', {
  mend: 'look whether it was done, and try again',
});

/** The core behind an endpoint file, if it works on this database; null where none answers there. */
export async function connectCore(endpointFile: string, dbPath?: string): Promise<Result<CoreClient> | null> {
  const endpoint = readEndpoint(endpointFile);
  if (endpoint === null) return null;
  const socket = await opened(endpoint.path);
  if (socket === null) return null;
  const client = new CoreClient(socket, endpoint);
  const trouble = await client.ready;
  const other = endpoint.dbPath;
  if (trouble === null && dbPath !== undefined && other !== undefined && !sameFile(dbPath, other)) {
    await client.close();
    return err(anotherDatabase({ ...endpoint, dbPath: other }, dbPath));
  }
  if (trouble === null) return ok(client);
  // It ended before it let anyone in, or takes its leave and is no longer to be found: as gone as one that never was.
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
  appError('unavailable', `the Muster that runs here (process ${pid}) works on another database: ${dbPath}`, {
    where: { file: wanted },
    mend: `name that one (--db), end that Muster, or name a data folder of its own for this one (--data-dir)`,
  });

/** Null where no one listens: what the endpoint file names was left behind. */
function opened(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(null));
  });
}

/** A core in another process, over its local socket. */
export class CoreClient implements Link {
  readonly kind = 'attached';
  /** Null once it is ready, else why it is not. */
  readonly ready: Promise<AppError | null>;
  readonly lost: Promise<void>;
  private readonly reader = new LineReader(SOCKET_LINE_BYTES);
  private readonly pending = new Map<number, (reply: RpcReply) => void>();
  private readonly followers = new Map<
    object,
    { topics: readonly Topic[]; listener: (pushes: Push[]) => void }
  >();
  private lastId = 0;
  private api: string | null = null;
  private end: AppError = ENDED;
  private settleReady: (trouble: AppError | null) => void = () => undefined;

  constructor(
    private readonly socket: Socket,
    private readonly endpoint: SocketEndpoint,
  ) {
    this.ready = new Promise((resolve) => {
      const late = setTimeout(() => this.giveUp(this.silent()), CORE_GREETS_MS);
      this.settleReady = (trouble) => {
        clearTimeout(late);
        resolve(trouble);
      };
    });
    this.lost = new Promise((resolve) => {
      socket.on('close', () => {
        this.gone();
        resolve();
      });
    });
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.write(line({ token: endpoint.token }));
  }

  get pid(): number {
    return this.endpoint.pid;
  }

  apiAddress(): string | null {
    return this.api;
  }

  call(name: string, input: unknown): Promise<RpcReply> {
    if (this.socket.destroyed) return Promise.resolve({ ok: false, error: this.end });
    this.lastId += 1;
    const id = this.lastId;
    const reply = new Promise<RpcReply>((resolve) => this.pending.set(id, resolve));
    this.socket.write(line({ kind: 'rpc', id, name, input }));
    return reply;
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
    if (this.socket.destroyed) return;
    const topics = [...new Set([...this.followers.values()].flatMap((follower) => follower.topics))];
    this.socket.write(line({ kind: 'subscribe', topics }));
  }

  private read(chunk: Buffer): void {
    const lines = this.reader.push(chunk);
    for (const text of lines ?? []) {
      const message = fromCoreSchema.safeParse(parseLine(text));
      if (!message.success) return this.giveUp(this.strange());
      this.take(message.data);
    }
    if (lines === null) this.giveUp(this.strange());
  }

  private take(message: FromCore): void {
    switch (message.kind) {
      case 'ready':
        this.api = message.apiAddress;
        return this.settleReady(null);
      case 'fatal':
        return this.giveUp(message.error);
      case 'reply':
        this.pending.get(message.id)?.(message.reply);
        this.pending.delete(message.id);
        return;
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

  private gone(): void {
    this.settleReady(this.end);
    for (const resolve of this.pending.values()) resolve({ ok: false, error: this.end });
    this.pending.clear();
  }

  private silent(): AppError {
    return appError('unavailable', `the running Muster (process ${this.pid}) does not answer`, {
      mend: 'end it, then try again',
    });
  }

  private strange(): AppError {
    const { pid, version } = this.endpoint;
    return appError(
      'unavailable',
      `the running Muster (process ${pid}, version ${version}) speaks another language`,
      {
        mend: 'use the command line of the same version',
      },
    );
  }
}

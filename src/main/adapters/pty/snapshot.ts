import { Worker } from 'node:worker_threads';
import type { ShownCommand } from '@contract/terminal/view';
import { SNAPSHOT_THREAD_IDLE_MS } from '../../limits/terminal-host';

export interface SnapshotRequest {
  readonly outputPath: string;
  /** The first byte after the part that is wanted. */
  readonly end: number;
  /** The size of the screen that it is for. */
  readonly cols: number;
  readonly rows: number;
}

/** What a screen draws by itself, ahead of the snapshot. */
export interface PastPart {
  readonly first: boolean;
  /** To be written before the bytes. */
  readonly text: string;
  readonly data: Uint8Array<ArrayBuffer>;
}
export type TakePast = (part: PastPart) => void;

export interface Snapshot {
  readonly text: string;
  readonly from: number;
  readonly evicted: number;
  readonly commands: readonly ShownCommand[];
  readonly cwd: string | null;
}

export type SnapshotReply = { readonly id: number } & (
  | { readonly past: PastPart }
  | { readonly snapshot: Snapshot }
  | { readonly failed: string }
);

interface Waiting {
  readonly past: TakePast;
  resolve(value: Snapshot): void;
  reject(error: Error): void;
}

/**
 * Draws the past of terminals in a thread of its own, so that the thread that reads from the terminals is never held
 * up by it.
 */
export class Snapshots {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(private readonly entry: URL) {}

  /** Starts the thread, so that the first snapshot does not wait for that. */
  warm(): void {
    this.#worker ??= this.#start();
    this.#rest();
  }

  take(request: SnapshotRequest, past: TakePast): Promise<Snapshot> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#count += 1;
    const id = this.#count;
    const { promise, resolve, reject } = withResolvers();
    this.#waiting.set(id, { past, resolve, reject });
    this.#worker.postMessage({ id, request });
    return promise;
  }

  close(): void {
    clearTimeout(this.#idle);
    void this.#worker?.terminate();
    this.#worker = null;
  }

  #start(): Worker {
    const worker = new Worker(this.entry);
    const lost = (error: Error): void => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    worker.on('message', (reply: SnapshotReply) => this.#receive(reply));
    worker.on('error', lost);
    worker.on('exit', (code) => lost(new Error(`The thread for snapshots ended with ${code}.`)));
    worker.unref();
    return worker;
  }

  #receive(reply: SnapshotReply): void {
    const waiting = this.#waiting.get(reply.id);
    if ('past' in reply) return waiting?.past(reply.past);
    this.#waiting.delete(reply.id);
    if ('snapshot' in reply) waiting?.resolve(reply.snapshot);
    else waiting?.reject(new Error(reply.failed));
    if (this.#waiting.size === 0) this.#rest();
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.close(), SNAPSHOT_THREAD_IDLE_MS);
    this.#idle.unref();
  }
}

/** `Promise.withResolvers`, which the oldest Node that we run on lacks. */
function withResolvers() {
  let resolve: (value: Snapshot) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<Snapshot>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve, reject };
}

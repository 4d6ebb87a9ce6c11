import { Worker } from 'node:worker_threads';
import type { ShownCommand } from '@areas/terminals/contract/view';
import { SNAPSHOT_THREAD_IDLE_MS } from '../../../limits/terminal-host';

export interface SnapshotRequest {
  readonly outputPath: string;
  /** The offset after the requested part. */
  readonly end: number;
  /** The size of the target screen. */
  readonly cols: number;
  readonly rows: number;
}

/** A part that the screen can draw itself, before the snapshot. */
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

/** Draws terminals' pasts in a separate thread, so that the thread that reads terminals is never blocked. */
export class Snapshots {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(private readonly entry: URL) {}

  /** Starts the thread ahead of the first snapshot. */
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

/** `Promise.withResolvers`, which the oldest supported Node lacks. */
function withResolvers() {
  let resolve: (value: Snapshot) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<Snapshot>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve, reject };
}

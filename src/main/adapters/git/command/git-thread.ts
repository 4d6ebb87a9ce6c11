import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { GIT_THREAD_IDLE_MS, ORPHANED_GIT_CHECK_MS, ORPHANED_GIT_MS } from '../../../limits/core';
import { GitError, type GitRunner, type GitStart, type Take } from './run-git';

/** To the thread: what to run, and for each received chunk whether more is wanted. */
export type GitOrder =
  | { readonly id: number; readonly start: GitStart; readonly whole: boolean }
  | { readonly id: number; readonly more: boolean };

/**
 * From the thread: the process, chunks of a stream, then the result; `output` is the whole output if
 * requested.
 */
export type GitReply = { readonly id: number } & (
  | { readonly pid: number }
  | { readonly chunk: Uint8Array<ArrayBuffer> }
  | { readonly output: Uint8Array<ArrayBuffer> | null }
  | { readonly failed: string; readonly code: number | null; readonly cutOff: boolean }
);

interface Waiting {
  /** The git process running for it. */
  pid: number | null;
  readonly take: Take | null;
  resolve(output: Uint8Array<ArrayBuffer> | null): void;
  reject(error: GitError): void;
}

/**
 * Starts git in a separate thread. Spawning blocks its thread until the new program is loaded, and a turn of
 * an agent in a repository needs some twenty of them: in the core's own thread each would delay commits and
 * pushes.
 */
export class GitThread implements GitRunner {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #count = 0;

  /**
   * `entry`: the thread's bundle, out/main/git-thread.js. `searchPath` replaces the PATH of Muster's start. A
   * desktop's PATH is shorter than the operator's shell's and may lack git, or the filters that git starts
   * (git-lfs).
   */
  constructor(
    private readonly entry: URL,
    private readonly searchPath: (() => Promise<string | undefined>) | null = null,
    readonly worktreesDir?: string,
  ) {}

  async whole(start: GitStart): Promise<Buffer> {
    const output = await this.#ask(this.searchPath === null ? start : await this.#completed(start), null);
    return bufferOf(output ?? new Uint8Array());
  }

  async stream(start: GitStart, take: Take): Promise<void> {
    await this.#ask(this.searchPath === null ? start : await this.#completed(start), take);
  }

  async #completed(start: GitStart): Promise<GitStart> {
    const path = await this.searchPath?.();
    if (path === undefined) return start;
    const others = Object.entries(start.env).filter(([name]) => name.toUpperCase() !== 'PATH');
    return { ...start, env: { ...Object.fromEntries(others), PATH: path } };
  }

  /** Ends the thread and its work. The next call starts it again. */
  close(): void {
    clearTimeout(this.#idle);
    void this.#worker?.terminate();
    this.#lost(new GitError('git ended with Muster.', null));
  }

  #ask(start: GitStart, take: Take | null): Promise<Uint8Array<ArrayBuffer> | null> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    // A pending git keeps the program alive, as a child process would.
    worker.ref();
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { pid: null, take, resolve, reject });
      worker.postMessage({ id, start, whole: take === null } satisfies GitOrder);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.entry);
    const lost = (why: string): void => {
      if (this.#worker === worker) void this.#died(why);
    };
    worker.on('message', (reply: GitReply) => void this.#receive(worker, reply));
    worker.on('error', (error: Error) => lost(`Muster's thread for git died: ${error.message}.`));
    worker.on('exit', (code) => lost(`Muster's thread for git ended with ${code}.`));
    return worker;
  }

  #lost(error: GitError): void {
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  /** Its git may still be running: a retry must wait until it has ended. */
  async #died(why: string): Promise<void> {
    this.#worker = null;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    await Promise.all(lost.map(({ pid }) => (pid === null ? undefined : processEnded(pid))));
    for (const { reject } of lost) reject(new GitError(`${why} Muster starts a new one.`, null, true));
  }

  async #receive(worker: Worker, reply: GitReply): Promise<void> {
    const waiting = this.#waiting.get(reply.id);
    if (waiting === undefined) return;
    if ('pid' in reply) {
      waiting.pid = reply.pid;
      return;
    }
    if ('chunk' in reply) {
      const more = await this.#more(waiting, bufferOf(reply.chunk));
      worker.postMessage({ id: reply.id, more } satisfies GitOrder);
      return;
    }
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#rest(worker);
    if ('failed' in reply) waiting.reject(new GitError(reply.failed, reply.code, reply.cutOff));
    else waiting.resolve(reply.output);
  }

  /** If `take` throws, reading stops and the exception is the result. */
  async #more({ take, reject }: Waiting, chunk: Buffer): Promise<boolean> {
    try {
      return (await take?.(chunk)) ?? false;
    } catch (error) {
      reject(error as GitError);
      return false;
    }
  }

  #rest(worker: Worker): void {
    worker.unref();
    this.#idle = setTimeout(() => this.close(), GIT_THREAD_IDLE_MS);
    this.#idle.unref();
  }
}

/** The process is no longer needed, and should end soon; if not, it is killed. */
async function processEnded(pid: number): Promise<void> {
  const lives = (signal: NodeJS.Signals | 0): boolean => {
    try {
      // The thread that would have reaped it is gone, so it may remain as a zombie.
      return process.kill(pid, signal) && !isZombie(pid);
    } catch {
      return false;
    }
  };
  for (const until = performance.now() + ORPHANED_GIT_MS; lives(0); ) {
    if (performance.now() > until && !lives('SIGKILL')) return;
    if (performance.now() > until + ORPHANED_GIT_MS) return;
    await new Promise((resolve) => setTimeout(resolve, ORPHANED_GIT_CHECK_MS));
  }
}

function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return line.slice(line.lastIndexOf(')') + 2).startsWith('Z');
}

/** The same bytes as a Buffer, which messages between threads do not preserve. */
const bufferOf = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer =>
  Buffer.from(buffer, byteOffset, length);

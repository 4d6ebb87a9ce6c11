import { randomUUID } from 'node:crypto';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { Clock } from '@main/core/ports/ports';
import type { LaunchSpec } from '@main/core/ports/programs/process';
import type { Host, HostState } from '../contract/host';
import { HOST_RECONNECT_LONGEST_MS, HOST_RECONNECT_MS } from '../contract/limits';
import {
  CHANGING,
  type FromHost,
  type HostMethod,
  type HostOutput,
  hostMethods,
  type ToHost,
} from '../contract/wire';
import { isLasting } from '../core/ssh-failure';
import { type Hello, HostWire } from './connection';
import { RemoteProcess } from './remote-process';
import type { Ssh } from './ssh';

interface LinkParts {
  readonly host: Host;
  readonly ssh: Ssh;
  readonly clock: Clock;
  readonly core: { readonly uid: string; readonly epoch: number };
  /** The shell command that reaches the host process. */
  readonly command: string;
  /** Brings the program to the host. */
  prepare(): Promise<Result<unknown>>;
  /** The state has changed. */
  changed(): void;
}

interface Pending {
  readonly message: Extract<ToHost, { kind: 'request' }>;
  /** The host process that it was sent to. */
  bootId: string | null;
  readonly done: (result: Result<unknown>) => void;
}

/** The connection to one host, restored whenever something of ours is there. */
export class HostLink {
  #state: HostState = { kind: 'idle' };
  #wire: HostWire | null = null;
  #hello: Hello | null = null;
  readonly #pending = new Map<number, Pending>();
  readonly #streams = new Map<string, RemoteProcess>();
  /** Given up here, and perhaps at work there: they end at the next connection. */
  readonly #givenUp = new Set<string>();
  #ids = 0;
  #attempts = 0;
  #connecting: Promise<Result<Hello>> | null = null;
  #cancelRetry: (() => void) | null = null;
  #closed = false;
  #cleared: Promise<unknown> = Promise.resolve();
  readonly #hearers = new Set<(connected: boolean) => void>();
  #holds = 0;
  #leaving = false;

  constructor(private readonly parts: LinkParts) {}

  get state(): HostState {
    return this.#state;
  }

  /** The last hello of the host process. */
  get hello(): Hello | null {
    return this.#hello;
  }

  /** Something of ours runs there, or may have been started there. */
  get busy(): boolean {
    return (
      this.#holds > 0 ||
      this.#givenUp.size > 0 ||
      [...this.#streams.values()].some(({ pid }) => pid !== 0) ||
      [...this.#pending.values()].some(({ message, bootId }) => message.key !== null && bootId !== null)
    );
  }

  /** Connects at once, or says why not; an attempt that runs is joined. */
  connect(): Promise<Result<Hello>> {
    if (this.#wire !== null && this.#hello !== null) return Promise.resolve(ok(this.#hello));
    this.#cancelRetry?.();
    this.#connecting ??= this.#attempt().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  /** A changing request is done once: it waits for the connection, and is repeated under the same key after a cut. */
  async request<M extends HostMethod>(method: M, params: unknown): Promise<Result<HostOutput<M>>> {
    if (this.#closed) return fail('cancelled', 'Muster ends.');
    this.#ids += 1;
    const id = this.#ids;
    const key = CHANGING.has(method) ? randomUUID() : null;
    const answered = new Promise<Result<unknown>>((done) => {
      const message = { kind: 'request', id, key, method, params } as const;
      const pending: Pending = { message, bootId: null, done };
      this.#pending.set(id, pending);
      if (this.#wire !== null) this.#ask(pending);
      else void this.#reachFor(id);
    });
    const result = await answered;
    if (!result.ok) return result;
    const output = hostMethods[method].output.safeParse(result.value);
    return output.success
      ? ok(output.data as HostOutput<M>)
      : fail('host.protocol', `${this.parts.host.name} answered ${method} in a form that is not known.`);
  }

  /** Starts a program. `stream` names it for as long as it runs, across connections and cores. */
  async launch(stream: string, spec: LaunchSpec): Promise<Result<RemoteProcess>> {
    const connected = this.busy ? ok(null) : await this.connect();
    if (!connected.ok) return connected;
    // What an earlier core left may be at work in the same folder.
    await this.#cleared;
    const process = this.#open(stream, spec.output);
    const { command, args, cwd, env, owner, stdin, input = null } = spec;
    const started = await this.request('process.start', {
      ...{ stream, command, args, cwd, env, owner, stdin, input },
      output: spec.output.kind,
    });
    if (!started.ok) {
      this.#streams.delete(stream);
      return started;
    }
    if (this.#streams.get(stream) !== process) {
      void this.#endUnknown(stream);
      return fail('host.lost', `The program on ${this.parts.host.name} was given up.`);
    }
    process.pid = started.value.pid;
    return ok(process);
  }

  /** Something there is still to be brought here, so a lost connection is restored; the result ends that. */
  hold(): () => void {
    this.#holds += 1;
    let held = true;
    return () => {
      if (held) this.#holds -= 1;
      held = false;
    };
  }

  /** A program that cannot be reached is lost here, and ends there once it can be. */
  giveUp(stream: string): void {
    const process = this.#streams.get(stream);
    if (process === undefined) return;
    this.#streams.delete(stream);
    this.#givenUp.add(stream);
    process.lost();
    if (this.#wire !== null) this.#endGivenUp();
  }

  /** Muster ends: what cannot be reached is not waited for. */
  leave(): void {
    this.#leaving = true;
    if (this.#wire !== null) return;
    const error = appError('host.unreachable', `${this.parts.host.name} cannot be reached.`);
    this.#failPending(() => true, error);
  }

  /** Ends all programs there, as far as the host can be reached. */
  async endAll(): Promise<void> {
    if (this.#wire !== null) await Promise.all([...this.#streams.values()].map((process) => process.end()));
  }

  /** No attempt follows; what runs on the host continues. */
  close(): void {
    this.#closed = true;
    this.#cancelRetry?.();
    this.#wire?.close();
    this.#failPending(() => true, appError('cancelled', 'Muster ends.'));
  }

  #open(id: string, output: LaunchSpec['output']): RemoteProcess {
    const process = new RemoteProcess(
      id,
      {
        send: (message) => this.#wire?.send(message),
        end: (stream) => this.#endStream(stream),
        over: (stream) => {
          if (this.#givenUp.has(stream)) return;
          this.#streams.delete(stream);
          void this.request('process.forget', { stream });
        },
      },
      output,
    );
    this.#streams.set(id, process);
    return process;
  }

  /** False if it cannot be reached and Muster ends: the next core ends the program. */
  async #endStream(stream: string): Promise<boolean> {
    if (this.#leaving && this.#wire === null) return false;
    return (await this.request('process.end', { stream })).ok;
  }

  async #reachFor(id: number): Promise<void> {
    const connected = await this.connect();
    // A program that runs there is worth waiting for; a first look is not.
    if (!connected.ok && (!this.busy || isLasting(connected.error))) this.#finish(id, connected);
  }

  async #attempt(): Promise<Result<Hello>> {
    const before = this.#state;
    if (before.kind !== 'disconnected') this.#become({ kind: 'connecting' });
    let opened = await this.#openWire();
    if (!opened.ok && opened.error.missing) {
      const prepared = await this.parts.prepare();
      opened = prepared.ok ? await this.#openWire() : err({ missing: false, error: prepared.error });
    }
    if (!opened.ok) {
      this.#retryLater(opened.error.error);
      return err(opened.error.error);
    }
    const { wire, hello } = opened.value;
    if (this.#closed) wire.close();
    else this.#connected(wire, hello);
    return ok(hello);
  }

  #openWire() {
    const { ssh, host, command, core } = this.parts;
    return HostWire.open(
      { ssh, host, command, core },
      { message: (message) => this.#take(message), ended: (error) => this.#ended(error) },
    );
  }

  #connected(wire: HostWire, hello: Hello): void {
    const other = this.#hello !== null && this.#hello.bootId !== hello.bootId;
    this.#wire = wire;
    this.#hello = hello;
    this.#attempts = 0;
    this.#become({ kind: 'connected', since: this.parts.clock.now() });
    if (other) this.#lose(hello.bootId);
    this.#givenUp.clear();
    const unknown = hello.streams.filter(({ id }) => !this.#streams.has(id));
    this.#cleared = Promise.all(unknown.map(({ id }) => this.#endUnknown(id)));
    const taken = new Map(hello.streams.map((stream) => [stream.id, stream.taken]));
    for (const stream of this.#streams.values()) stream.resume(taken.get(stream.id) ?? 0);
    for (const pending of this.#pending.values()) this.#ask(pending);
  }

  /** Another host process answers: the former one's programs have ended with it. */
  #lose(bootId: string): void {
    const lost = appError(
      'host.lost',
      `The host process on ${this.parts.host.name} ended, and its programs with it.`,
      {
        mend: 'Look at what they left, and run them again.',
      },
    );
    // One that was sent may have been done.
    this.#failPending(
      (one) => one.message.key !== null && one.bootId !== null && one.bootId !== bootId,
      lost,
    );
    for (const stream of [...this.#streams.values()]) stream.lost();
  }

  #endGivenUp(): void {
    const streams = [...this.#givenUp];
    this.#givenUp.clear();
    this.#cleared = Promise.all([this.#cleared, ...streams.map((id) => this.#endUnknown(id))]);
  }

  /** An earlier core started it, and no one is left who reads it. */
  async #endUnknown(stream: string): Promise<void> {
    await this.request('process.end', { stream });
    await this.request('process.forget', { stream });
  }

  #ask(pending: Pending): void {
    pending.bootId ??= this.#hello?.bootId ?? null;
    this.#wire?.send(pending.message);
  }

  #take(message: FromHost): void {
    switch (message.kind) {
      case 'response':
        return this.#finish(message.id, message.result);
      case 'frame':
        return this.#streams.get(message.stream)?.frame(message.n, message.frame);
      case 'acked':
        return this.#streams.get(message.stream)?.inputTaken(message.n);
      default:
        return;
    }
  }

  #finish(id: number, result: Result<unknown>): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    const { key } = pending.message;
    if (key !== null) this.#wire?.send({ kind: 'taken', key });
    pending.done(result);
  }

  #failPending(which: (pending: Pending) => boolean, error: AppError): void {
    for (const [id, pending] of this.#pending) if (which(pending)) this.#finish(id, err(error));
  }

  #ended(error: AppError): void {
    this.#wire = null;
    if (this.#closed) return;
    this.#failPending(({ message }) => message.key === null && !this.busy, error);
    if (error.code === 'host.superseded') {
      this.#become({ kind: 'failed', error });
      return;
    }
    if (!this.busy && this.#pending.size === 0) this.#become({ kind: 'idle' });
    else this.#retryLater(error);
  }

  /** Programs that run there are worth any number of attempts. */
  #retryLater(error: AppError): void {
    if (this.#closed) return;
    if (!this.busy) {
      this.#become({ kind: 'failed', error });
      this.#failPending(() => true, error);
      return;
    }
    const { clock } = this.parts;
    const since = this.#state.kind === 'disconnected' ? this.#state.since : clock.now();
    this.#become({ kind: 'disconnected', since, error });
    const pause = Math.min(HOST_RECONNECT_MS * 2 ** this.#attempts, HOST_RECONNECT_LONGEST_MS);
    this.#attempts += 1;
    this.#cancelRetry = clock.at(clock.now() + pause, () => void this.connect());
  }

  /** Calls `hear` when the connection is lost and when it is back; the result ends that. */
  watch(hear: (connected: boolean) => void): () => void {
    this.#hearers.add(hear);
    return () => void this.#hearers.delete(hear);
  }

  #become(state: HostState): void {
    const before = this.#state.kind;
    this.#state = state;
    this.parts.changed();
    const lost = state.kind === 'disconnected' && before !== 'disconnected';
    if (lost || (state.kind === 'connected' && before === 'disconnected'))
      for (const hear of this.#hearers) hear(!lost);
  }
}

import { HOST_RESULTS_BYTES } from '@areas/hosts/contract/limits';
import type { HostInput, HostOutput } from '@areas/hosts/contract/wire';
import { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { Processes } from '../core/ports/programs/process';
import { KeptStream, type Send } from './kept-stream';
import type { HostWorkspaces } from './workspaces';

interface Remembered {
  readonly result: Promise<Result<unknown>>;
  bytes: number;
}

/** What one desktop has on this host: its programs, and the results of its changing requests. */
export class Desktop {
  /** The newest core of the desktop. */
  epoch = 0;
  readonly streams = new Map<string, KeptStream>();
  readonly #results = new Map<string, Remembered>();
  readonly #ending = new Set<Promise<void>>();
  #connection: { readonly send: Send; leave(): void } | null = null;

  constructor(
    private readonly processes: Processes,
    readonly workspaces: HostWorkspaces,
  ) {}

  /** A newer connection takes the place of the one before, which is told so if another core made it. */
  join(epoch: number, connection: { readonly send: Send; leave(): void }): Result<void> {
    if (epoch < this.epoch) return err(superseded());
    const before = this.#connection;
    if (before !== null) {
      if (epoch > this.epoch) before.send({ kind: 'refused', error: superseded() });
      this.left(before.send);
      before.leave();
    }
    this.epoch = epoch;
    this.#connection = connection;
    return ok(undefined);
  }

  left(send: Send): void {
    for (const stream of this.streams.values()) stream.detach(send);
    if (this.#connection?.send === send) this.#connection = null;
  }

  /** Does a changing request once, and gives its result to each repetition. */
  once(key: string, work: () => Promise<Result<unknown>>): Promise<Result<unknown>> {
    const known = this.#results.get(key);
    if (known !== undefined) return known.result;
    const remembered: Remembered = { result: work(), bytes: 0 };
    this.#results.set(key, remembered);
    void remembered.result.then((result) => {
      remembered.bytes = JSON.stringify(result).length;
      this.#shrink();
    });
    return remembered.result;
  }

  taken(key: string): void {
    this.#results.delete(key);
  }

  async start(input: HostInput<'process.start'>, send: Send): Promise<Result<{ pid: number }>> {
    const { stream: id, output, input: text, ...spec } = input;
    if (this.streams.has(id)) return fail('conflict', `The stream ${id} exists already.`);
    const stream = new KeptStream(id);
    this.streams.set(id, stream);
    stream.attach(0, send);
    const launch = this.processes.launch({
      ...spec,
      ...(text === null ? {} : { input: text }),
      output: stream.output(output),
    });
    const started = await stream.starts(launch);
    if (!started.ok) this.streams.delete(id);
    return started;
  }

  async end({ stream }: HostInput<'process.end'>): Promise<Result<Record<string, never>>> {
    const ended = this.streams.get(stream)?.end() ?? Promise.resolve();
    this.#ending.add(ended);
    try {
      await ended;
    } finally {
      this.#ending.delete(ended);
    }
    return ok({});
  }

  /** A newer core ends the programs of the one before, which write in their folders until they are gone. */
  async put(wish: HostInput<'workspace.put'>): Promise<Result<HostOutput<'workspace.put'>>> {
    await Promise.allSettled(this.#ending);
    return this.workspaces.put(wish);
  }

  /** A desktop that acknowledges nothing must not fill the memory: the oldest results go first. */
  #shrink(): void {
    let bytes = [...this.#results.values()].reduce((sum, one) => sum + one.bytes, 0);
    for (const [key, one] of this.#results) {
      if (bytes <= HOST_RESULTS_BYTES) return;
      this.#results.delete(key);
      bytes -= one.bytes;
    }
  }
}

const superseded = () =>
  appError('host.superseded', 'A newer start of this Muster uses the host.', {
    mend: 'Continue in the newer one.',
  });

import { type AppError, appError } from '@contract/errors';
import type { RpcReply } from '@contract/ipc';

interface Call {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

interface Waiting extends Call {
  readonly settle: (reply: RpcReply) => void;
  /** Cancels the timeout. */
  readonly stay: () => void;
  /** It was sent to a core that is still starting. */
  ahead: boolean;
}

interface PendingCallsOptions {
  /** Schedules a function; returns a function that cancels it. */
  readonly later: (ms: number, run: () => void) => () => void;
  /** How long a call waits for the first core, and for a restarted one. */
  readonly firstWaitMs: number;
  readonly waitMs: number;
  readonly send: (call: Call) => void;
  /** Whether this call may be sent to a core that is not ready yet. */
  readonly mayGoAhead: (name: string) => boolean;
}

/** Calls waiting for the core, or for its answer. Each gets exactly one reply, whatever happens. */
export class PendingCalls {
  readonly #waiting = new Map<number, Waiting>();
  readonly #sent = new Map<number, Waiting>();
  #state: 'closed' | 'begun' | 'open' | { readonly refused: AppError } = 'closed';
  #lastId = 0;
  #waitMs: number;

  constructor(private readonly options: PendingCallsOptions) {
    this.#waitMs = options.firstWaitMs;
  }

  add(name: string, input: unknown): Promise<RpcReply> {
    if (typeof this.#state === 'object') return Promise.resolve({ ok: false, error: this.#state.refused });
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const call = { id, name, input, settle: resolve, stay: () => undefined, ahead: false };
      if (this.#state === 'open') this.#dispatch(call);
      else this.#wait(call);
    });
  }

  reply(id: number, reply: RpcReply): void {
    const call = this.#sent.get(id) ?? this.#waiting.get(id);
    this.#sent.delete(id);
    this.#waiting.delete(id);
    call?.stay();
    call?.settle(reply);
  }

  /**
   * A core is starting: read-only calls are sent to it already, and repeated to the next one if it does not
   * answer.
   */
  begin(): void {
    this.#state = 'begun';
    for (const call of this.#waiting.values()) this.#goAhead(call);
  }

  /** The core answers from now on. */
  open(): void {
    this.#state = 'open';
    this.#waitMs = this.options.waitMs;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const call of waiting) this.#dispatch(call);
  }

  /** The core is gone: it is unknown whether its calls were executed. New calls wait for the next one. */
  lose(): void {
    this.#state = 'closed';
    for (const call of this.#waiting.values()) call.ahead = false;
    const mend = 'Check whether it was done, then try again.';
    const error = appError('unavailable', 'The core stopped before it answered, and is restarting.', {
      mend,
    });
    this.#fail(this.#sent, error);
  }

  /** No core will start by itself. */
  refuse(error: AppError): void {
    this.#state = { refused: error };
    this.#fail(this.#waiting, error);
    this.#fail(this.#sent, error);
  }

  #dispatch(call: Waiting): void {
    call.stay();
    this.#sent.set(call.id, call);
    if (!call.ahead) this.#send(call);
  }

  #goAhead(call: Waiting): void {
    if (call.ahead || !this.options.mayGoAhead(call.name)) return;
    call.ahead = true;
    this.#send(call);
  }

  #send({ id, name, input }: Waiting): void {
    this.options.send({ id, name, input });
  }

  #wait(call: Waiting): void {
    const stay = this.options.later(this.#waitMs, () => {
      this.#waiting.delete(call.id);
      const error = appError('unavailable', 'The core is still starting.', {
        mend: 'Try again in a moment.',
      });
      call.settle({ ok: false, error });
    });
    const waiting = { ...call, stay };
    this.#waiting.set(call.id, waiting);
    if (this.#state === 'begun') this.#goAhead(waiting);
  }

  #fail(calls: Map<number, Waiting>, error: AppError): void {
    const all = [...calls.values()];
    calls.clear();
    for (const call of all) {
      call.stay();
      call.settle({ ok: false, error });
    }
  }
}

/** Calls to a ready core. If it ends, no other replaces it. */
export function callsOfOpenCore(send: PendingCallsOptions['send']): PendingCalls {
  const calls = new PendingCalls({
    later: () => () => undefined,
    firstWaitMs: 0,
    waitMs: 0,
    send,
    mayGoAhead: () => false,
  });
  calls.open();
  return calls;
}

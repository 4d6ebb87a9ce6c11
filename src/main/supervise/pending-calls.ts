import { type AppError, appError } from '@contract/errors';
import type { RpcReply } from '@contract/ipc';
import type { Clock } from './transport';

/** How long a call waits for a core that is being started again; the first one may have a large database to check. */
const WAIT_MS = 5000;
const FIRST_WAIT_MS = 60_000;

interface Call {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

interface Waiting extends Call {
  readonly settle: (reply: RpcReply) => void;
}

/** Calls that wait for the core, and calls that wait for its answer. Each gets exactly one reply, whatever happens. */
export class PendingCalls {
  readonly #waiting = new Map<number, Waiting>();
  readonly #sent = new Map<number, Waiting>();
  #state: 'closed' | 'open' | { readonly refused: AppError } = 'closed';
  #lastId = 0;
  #waitMs = FIRST_WAIT_MS;

  constructor(
    private readonly clock: Clock,
    private readonly send: (call: Call) => void,
  ) {}

  add(name: string, input: unknown): Promise<RpcReply> {
    if (typeof this.#state === 'object') return Promise.resolve({ ok: false, error: this.#state.refused });
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const call = { id, name, input, settle: resolve };
      if (this.#state === 'open') this.#dispatch(call);
      else this.#wait(call);
    });
  }

  reply(id: number, reply: RpcReply): void {
    this.#sent.get(id)?.settle(reply);
    this.#sent.delete(id);
  }

  /** The core answers from now on. */
  open(): void {
    this.#state = 'open';
    this.#waitMs = WAIT_MS;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const call of waiting) this.#dispatch(call);
  }

  /** The core is gone: whether it did what it was asked is not known. New calls wait for the next one. */
  lose(): void {
    this.#state = 'closed';
    const mend = 'Look whether it was done, and try again.';
    const error = appError('unavailable', 'The core stopped before it answered; it is being started again.', {
      mend,
    });
    this.#fail(this.#sent, error);
  }

  /** No core will come by itself. */
  refuse(error: AppError): void {
    this.#state = { refused: error };
    this.#fail(this.#waiting, error);
    this.#fail(this.#sent, error);
  }

  #dispatch(call: Waiting): void {
    this.#sent.set(call.id, call);
    this.send({ id: call.id, name: call.name, input: call.input });
  }

  #wait(call: Waiting): void {
    const cancel = this.clock.later(this.#waitMs, () => {
      this.#waiting.delete(call.id);
      const error = appError('unavailable', 'The core is still being started.', {
        mend: 'Try again in a moment.',
      });
      call.settle({ ok: false, error });
    });
    const settle = (reply: RpcReply): void => {
      cancel();
      call.settle(reply);
    };
    this.#waiting.set(call.id, { ...call, settle });
  }

  #fail(calls: Map<number, Waiting>, error: AppError): void {
    const all = [...calls.values()];
    calls.clear();
    for (const call of all) call.settle({ ok: false, error });
  }
}

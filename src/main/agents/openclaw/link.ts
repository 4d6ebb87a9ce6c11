import { err, ok, type Result } from '@contract/result';
import type { Clock } from '../../core/ports/ports';
import { Connection, type ConnectionListener } from './connection';
import type { OpenclawLimits } from './limits';
import type { GatewayPlace } from './place';
import type { Refusal } from './refusal';

interface LinkParts {
  readonly place: GatewayPlace;
  readonly clock: Clock;
  readonly limits: OpenclawLimits;
}

/** How long to try, and whether also if no one answers. */
interface Patience {
  readonly forMs: number;
  readonly away: boolean;
}

/** A gateway used over successive sockets, one at a time. A lost one is replaced on demand. */
export class Link {
  #connection: Connection | null = null;
  #opening: Promise<Result<Connection, Refusal>> | null = null;
  #listener: ConnectionListener | null = null;
  #wake: () => void = () => {};
  #closed = false;

  constructor(private readonly parts: LinkParts) {}

  /** Sets the listener for the gateway's events; null for none. */
  listen(listener: ConnectionListener | null): void {
    this.#listener = listener;
  }

  get current(): Connection | null {
    return this.#connection?.open === true ? this.#connection : null;
  }

  /** The open connection, or a new one. */
  async connect(patience: Patience): Promise<Result<Connection, Refusal>> {
    const { current } = this;
    if (current !== null) return ok(current);
    this.#opening ??= this.#open(patience).finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  close(): void {
    this.#closed = true;
    this.#listener = null;
    this.#wake();
    this.#connection?.end();
  }

  async #open(patience: Patience): Promise<Result<Connection, Refusal>> {
    const { clock, limits } = this.parts;
    const until = clock.now() + patience.forMs;
    let [pause] = limits.pauseMs;
    for (;;) {
      const opened = await Connection.open({
        ...this.parts,
        listener: {
          event: (name, payload) => this.#listener?.event(name, payload),
          lost: (why) => this.#listener?.lost(why),
        },
      });
      if (opened.ok && !this.#closed) {
        this.#connection = opened.value;
        return opened;
      }
      if (opened.ok) opened.value.end();
      const refusal = opened.ok ? CLOSED : opened.error;
      const hopeless = refusal.again === 'never' || (refusal.again === 'away' && !patience.away);
      const next = clock.now() + (refusal.afterMs ?? pause);
      if (this.#closed || hopeless || next > until) return err(refusal);
      await this.#rest(next);
      pause = Math.min(pause * 2, limits.pauseMs[1]);
    }
  }

  #rest(until: number): Promise<void> {
    return new Promise((rested) => {
      const cancel = this.parts.clock.at(until, rested);
      this.#wake = () => {
        cancel();
        rested();
      };
    });
  }
}

const CLOSED: Refusal = {
  error: { code: 'cancelled', message: 'the session was closed while it connected' },
  again: 'never',
  afterMs: null,
};

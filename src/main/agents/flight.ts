import { type AppError, appError } from '@contract/errors';
import type { TurnResult } from '../core/ports/ports';

/** Why a turn was ended before its end. */
export type StopCause = 'cancelled' | 'silent';

/** A turn in flight. */
export class Flight {
  #cause: StopCause | null = null;
  #end: () => void = () => {};

  get cause(): StopCause | null {
    return this.#cause;
  }

  /** What ends it; called at once where it was stopped before there was anything to end. */
  endsBy(end: () => void): void {
    this.#end = end;
    if (this.#cause !== null) end();
  }

  /** The first cause counts. */
  stop(cause: StopCause): void {
    this.#cause ??= cause;
    this.#end();
  }
}

/** The turns of a session that has one at a time. */
export class Flights {
  #flight: Flight | null = null;
  #done: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** Refuses a turn where another one is in flight, or where the session is closed. */
  async turn(run: (flight: Flight) => Promise<TurnResult>): Promise<TurnResult> {
    if (this.#closed) return failed(appError('conflict', 'the session is closed'));
    if (this.#flight !== null) return failed(appError('conflict', 'a turn is in flight in this session'));
    const flight = new Flight();
    this.#flight = flight;
    const result = run(flight);
    this.#done = result;
    try {
      return await result;
    } finally {
      this.#flight = null;
    }
  }

  /** Resolves when the turn has ended. */
  async cancel(): Promise<void> {
    if (this.#flight === null) return;
    this.#flight.stop('cancelled');
    await this.#done;
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.cancel();
  }
}

/** A turn that came to nothing. */
export const failed = (error: AppError): TurnResult => ({
  ...{ outcome: 'failed', stopReason: error.code, response: '', usage: null, error, limitResetsAt: null },
});

interface Stopped {
  readonly cause: StopCause;
  readonly address: string;
  /** How long nothing was heard where it was stopped for its silence. */
  readonly minutes: number | null;
}

/** How a turn that was stopped ends; what was said until then stays. */
export function stopped({
  cause,
  address,
  minutes,
}: Stopped): Pick<TurnResult, 'outcome' | 'stopReason' | 'error'> {
  if (cause === 'cancelled') return { outcome: 'cancelled', stopReason: 'cancelled', error: null };
  const error = appError('agent.timeout', `${address} gave no sign of life for ${minutes} minutes`);
  return { outcome: 'failed', stopReason: 'silent', error };
}

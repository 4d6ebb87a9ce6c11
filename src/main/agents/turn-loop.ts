import { counted } from '@contract/counted';
import { type AppError, appError } from '@contract/errors';
import { MINUTE_MS } from '@contract/time-units';
import type { Seen, TurnResult } from '../core/ports/ports';
import type { ProcessExit } from '../core/ports/programs/process';
import { LONGEST_TIMER_MS, MODEL_DOWN_MS, silentAfterMs } from '../limits/core';
import {
  crashError,
  describeExit,
  type Failure,
  type FailureContext,
  hostDeath,
  interruptedTurn,
} from './failure';

/** Why a turn was stopped before its agent ended it. `host`: a process of Muster's that it needs died. */
export type StopCause = 'operator' | 'host';

/** A turn's result without the response. */
export type TurnEnd = Pick<TurnResult, 'outcome' | 'stopReason' | 'error' | 'limitResetsAt' | 'interrupted'>;

export interface TurnClock {
  now(): number;
  at(due: number, run: () => void): () => void;
}

/** Time that is unaffected by changes of the system clock. */
const monotonic: TurnClock = {
  now: () => performance.now(),
  at(due, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, due - performance.now()), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

export interface TurnLoopOptions {
  readonly clock?: TurnClock;
  /** Minutes without a sign of life after which the operator is asked; null: the default. */
  readonly silenceMinutes: number | null;
  /** Ends an agent that does not end its turn within this time after being asked. */
  readonly kill?: { readonly afterMs: number; run(): void };
}

/** The turn in flight of a session. */
export class TurnInFlight {
  /** Resolves when the turn is stopped or has ended. */
  readonly stopped: Promise<void>;
  readonly #clock: TurnClock;
  #cause: StopCause | null = null;
  #hostDeath = '';
  #over = false;
  #ask: () => void = () => {};
  #tellStopped: () => void = () => {};
  #waiting = 0;
  #heard: number;
  #cancelKill: () => void = () => {};
  #tell: ((seen: Seen) => void) | null = null;
  /** The operator was told that the agent is silent or stuck. */
  #told = false;
  #trouble: string | null = null;
  #cancelTrouble: () => void = () => {};
  #cancelAsking: () => void = () => {};

  /** `cause`: it was stopped under an earlier core, which asked its agent to end it. */
  constructor(
    private readonly options: TurnLoopOptions,
    cause: StopCause | null = null,
  ) {
    this.#cause = cause;
    this.#clock = options.clock ?? monotonic;
    this.#heard = this.#clock.now();
    this.stopped = new Promise((resolve) => {
      this.#tellStopped = resolve;
    });
  }

  get cause(): StopCause | null {
    return this.#cause;
  }

  /** How the agent is asked to end the turn; called at once if the turn is already stopped. */
  endsBy(ask: () => void): void {
    this.#ask = ask;
    if (this.#cause !== null) ask();
  }

  /** Records a sign of life. */
  heard(): void {
    this.#heard = this.#clock.now();
    if (this.#told && this.#trouble === null) this.#tellWorking();
  }

  /** Brings a silent agent to the operator, who decides. Its turn goes on. */
  asks(tell: (seen: Seen) => void): void {
    this.#tell = tell;
    this.#askWhenSilent();
  }

  /** The agent reports only that it cannot go on for now, for example because its model server is down. */
  troubled(words: string): void {
    const isNew = this.#trouble === null;
    this.#trouble = words;
    if (!isNew) return;
    const since = Date.now();
    this.#cancelTrouble = this.#clock.at(this.#clock.now() + MODEL_DOWN_MS, () => {
      this.#tellStalled(since, `it reports only: ${this.#trouble}`);
    });
  }

  /** The agent did something, so earlier trouble is over. */
  progressed(): void {
    this.#cancelTrouble();
    this.#trouble = null;
    this.heard();
  }

  /**
   * Waits for the operator, during which the agent does not count as silent; null if the turn is stopped
   * meanwhile.
   */
  async waitFor<T>(answer: Promise<T>): Promise<T | null> {
    this.#waiting += 1;
    try {
      return await Promise.race([answer, this.stopped.then(() => null)]);
    } finally {
      this.#waiting -= 1;
      this.heard();
    }
  }

  /** The first cause counts, and the agent is asked once. */
  stop(cause: StopCause): void {
    if (this.#cause !== null || this.#over) return;
    this.#cause = cause;
    this.#tellStopped();
    this.#ask();
    this.killUnheeded();
  }

  /** The result of the agent's work is then unknown, so the turn must not count as failed. */
  stopForHost(why: string): void {
    this.#hostDeath = why;
    this.stop('host');
  }

  /** Which process of Muster's died, if that stopped the turn. */
  get hostDeath(): string {
    return this.#hostDeath;
  }

  /** Also for a turn that was stopped under an earlier core. */
  killUnheeded(): void {
    const { kill } = this.options;
    if (kill === undefined || this.#over) return;
    this.#cancelKill = this.#clock.at(this.#clock.now() + kill.afterMs, () => kill.run());
  }

  end(): void {
    this.#over = true;
    this.#cancelKill();
    this.#cancelTrouble();
    this.#cancelAsking();
    this.#tellStopped();
  }

  /** A stream has many items: the timer is renewed only when it is due, not at each item. */
  #askWhenSilent(): void {
    if (this.#over) return;
    if (this.#waiting > 0) this.heard();
    const due = this.#heard + silentAfterMs(this.options.silenceMinutes);
    const silentMs = this.#clock.now() - this.#heard;
    if (this.#clock.now() >= due && !this.#told) {
      this.#tellStalled(Date.now() - silentMs, `nothing was heard of it for ${silence(silentMs)}`);
    }
    const next = due > this.#clock.now() ? due : this.#clock.now() + MINUTE_MS;
    this.#cancelAsking = this.#clock.at(next, () => this.#askWhenSilent());
  }

  #tellStalled(since: number, reason: string): void {
    if (this.#over || this.#told || this.#cause !== null) return;
    this.#told = true;
    this.#tell?.({ state: 'stalled', since, reason, screen: null });
  }

  #tellWorking(): void {
    this.#told = false;
    this.#tell?.({ state: 'working', since: Date.now(), reason: 'an update came', screen: null });
  }
}

/**
 * A session's turns, for every kind of agent: one at a time, each ended once, by its agent, a cancellation
 * or the session's end. The adapter provides the response and judges the end.
 */
export class TurnLoop {
  #turn: TurnInFlight | null = null;
  #ended: Promise<unknown> = Promise.resolve();
  #leaving: 'parked' | 'closed' | null = null;
  #gone: ProcessExit | null = null;

  constructor(private readonly options: TurnLoopOptions) {}

  get current(): TurnInFlight | null {
    return this.#turn;
  }

  /** Null while the session may continue, else how it was asked to end. */
  get leaving(): 'parked' | 'closed' | null {
    return this.#leaving;
  }

  /** Refuses a turn while another is in flight, or once the session has ended. */
  turn(run: (turn: TurnInFlight) => Promise<TurnResult>): Promise<TurnResult> {
    if (this.#turn !== null)
      return Promise.resolve(notStarted(appError('conflict', 'A turn of this session is already running.')));
    const over = this.#afterEnd();
    if (over !== null) return Promise.resolve(over);
    return this.#run(new TurnInFlight(this.options), run);
  }

  /** A turn's result once the session has ended; null before. */
  #afterEnd(): TurnResult | null {
    if (this.#gone !== null && this.#leaving === null) return afterEnd(this.#gone);
    if (this.#leaving === null) return null;
    // A session without a process was only parked.
    const code = this.#gone === null ? 'conflict' : 'agent.crashed';
    return notStarted(appError(code, `The session was ${this.#leaving}.`));
  }

  /** A turn of an earlier core that continues: `follow` reports its end. */
  takeUp(cause: StopCause | null): TurnInFlight {
    this.#turn = new TurnInFlight(this.options, cause);
    return this.#turn;
  }

  follow(run: (turn: TurnInFlight) => Promise<TurnResult>): Promise<TurnResult> {
    const turn = this.#turn;
    if (turn === null)
      return Promise.resolve(notStarted(appError('internal', 'There is no turn to follow.')));
    const result = this.#run(turn, run);
    if (turn.cause !== null) turn.killUnheeded();
    return result;
  }

  #run(turn: TurnInFlight, run: (turn: TurnInFlight) => Promise<TurnResult>): Promise<TurnResult> {
    this.#turn = turn;
    const result = run(turn)
      .catch((error: unknown) => notStarted(appError('internal', `The turn broke off: ${String(error)}`)))
      .finally(() => {
        turn.end();
        this.#turn = null;
      });
    this.#ended = result;
    return result;
  }

  /** Resolves when the turn has ended. */
  async cancel(): Promise<void> {
    this.#turn?.stop('operator');
    await this.#ended;
  }

  /** Ends the session, and any turn in flight; `end` releases the adapter's resources. */
  async leave(how: 'parked' | 'closed', end: () => Promise<unknown> = async () => {}): Promise<void> {
    this.#leaving ??= how;
    this.#turn?.stop('operator');
    await end();
    await this.#ended;
  }

  /** The session's process is gone. `tell` is called after the turn in flight was reported as failed. */
  lost(exit: ProcessExit, tell: (how: string) => void): void {
    this.#gone = exit;
    if (this.#leaving !== null) return;
    void this.#ended.then(() => setTimeout(() => tell(describeExit(exit)), 0));
  }

  /** How a stopped turn ended; null if its agent ended it. */
  stoppedAs(turn: TurnInFlight): TurnEnd | null {
    if (turn.cause === null) return null;
    if (turn.cause === 'host') return interruptedTurn(turn.hostDeath);
    return ended('cancelled', this.#leaving ?? 'cancelled');
  }
}

function silence(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  return minutes === 0 ? `${Math.round(ms / 1000)} s` : counted(minutes, 'minute');
}

export const ended = (
  outcome: TurnResult['outcome'],
  stopReason: string,
  error: AppError | null = null,
): TurnEnd => ({ outcome, stopReason, error, limitResetsAt: null });

export const endedByFailure = ({ kind, error, limitResetsAt }: Failure, stopReason: string): TurnEnd => ({
  outcome: kind,
  stopReason,
  error,
  limitResetsAt,
});

/** The end of a turn whose agent's process ended meanwhile, with its last output. */
export function endedByExit(exit: ProcessExit, words: string, context: FailureContext): TurnEnd {
  const died = hostDeath(exit);
  return died === null ? ended('failed', 'crashed', crashError(exit, words, context)) : interruptedTurn(died);
}

/** A turn for an agent whose process has ended. */
function afterEnd(exit: ProcessExit): TurnResult {
  const died = hostDeath(exit);
  if (died !== null) return { ...interruptedTurn(died), response: '', usage: null };
  return notStarted(appError('agent.crashed', `The session’s process ${describeExit(exit)}.`));
}

/** A turn without any response. */
export const notStarted = (error: AppError, stopReason = 'refused'): TurnResult => ({
  ...ended('failed', stopReason, error),
  response: '',
  usage: null,
});
